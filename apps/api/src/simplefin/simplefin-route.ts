import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import { AdmittedBy } from '../http/admission.js';
import { SimplefinChecks } from './simplefin-checks.js';
import {
  SIMPLEFIN_ROUTE,
  type SimplefinDeclaration,
  type SimplefinRouteOptions,
} from './simplefin-route-options.js';

/**
 * Declares a call of the SimpleFIN protocol, which is not part of the OpenAPI document: none of the
 * checks of native-api 1.3 apply, and its errors are plain text.
 */
export function SimplefinRoute(
  call: `${'GET' | 'POST'} /simplefin/${string}`,
  declaration: SimplefinDeclaration,
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
