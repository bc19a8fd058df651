import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { ReadBound } from '../http/read-bound.js';
import { OWN_ADMISSION } from '../http/route.js';
import { SimplefinAdmission, SIMPLEFIN_PATH } from './simplefin-admission.guard.js';
import { SimplefinErrorFilter } from './simplefin-error.filter.js';

export const SIMPLEFIN_ROUTE = Symbol('simplefin-route');

export interface SimplefinRouteOptions {
  call: string;
  /** What bounds a call that reads; null = it changes something. */
  reads: ReadBound | null;
}

/**
 * Declares a call of the SimpleFIN protocol, which is not part of the OpenAPI document: none of the
 * checks of native-api 1.3 apply, and its errors are plain text.
 */
export function SimplefinRoute(
  call: `${'GET' | 'POST'} /simplefin/${string}`,
  reads: ReadBound | null,
): MethodDecorator {
  const [method, path = ''] = call.split(' ');
  return applyDecorators(
    SetMetadata(SIMPLEFIN_PATH, path),
    SetMetadata(SIMPLEFIN_ROUTE, { call, reads } satisfies SimplefinRouteOptions),
    SetMetadata(OWN_ADMISSION, true),
    RequestMapping({ method: method === 'GET' ? RequestMethod.GET : RequestMethod.POST, path }),
    HttpCode(200),
    UseGuards(SimplefinAdmission),
    UseFilters(SimplefinErrorFilter),
  );
}
