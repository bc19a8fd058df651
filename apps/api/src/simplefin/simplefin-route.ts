import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import { AdmittedBy } from '../http/admission.js';
import type { ReadBound } from '../http/read-bound.js';
import { SimplefinChecks } from './simplefin-checks.js';

export const SIMPLEFIN_ROUTE = Symbol('simplefin-route');

interface Declaration {
  /** What bounds a call that reads; null = it changes something. */
  reads: ReadBound | null;
  /** `access`: that of an access URL; `setup token`: one in the path, which the handler checks. */
  credential: 'access' | 'setup token' | 'none';
}

export interface SimplefinRouteOptions extends Declaration {
  method: 'GET' | 'POST';
  /** Names the route in logs, since a claim address is a secret. */
  path: string;
}

/**
 * Declares a call of the SimpleFIN protocol, which is not part of the OpenAPI document: none of the
 * checks of native-api 1.3 apply, and its errors are plain text.
 */
export function SimplefinRoute(
  call: `${'GET' | 'POST'} /simplefin/${string}`,
  declaration: Declaration,
): MethodDecorator {
  const [method, path] = call.split(' ') as ['GET' | 'POST', string];
  const route: SimplefinRouteOptions = { method, path, ...declaration };
  return applyDecorators(
    SetMetadata(SIMPLEFIN_ROUTE, route),
    AdmittedBy({ protocol: 'simplefin', checks: SimplefinChecks, route }),
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(200),
  );
}
