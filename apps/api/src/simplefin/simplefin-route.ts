import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { OWN_ADMISSION } from '../http/route.js';
import { SimplefinAdmission, SIMPLEFIN_PATH } from './simplefin-admission.guard.js';
import { SimplefinErrorFilter } from './simplefin-error.filter.js';

/**
 * Declares a call of the SimpleFIN protocol, which is not part of the OpenAPI document: none of the
 * checks of native-api 1.3 apply, and its errors are plain text.
 */
export function SimplefinRoute(call: `${'GET' | 'POST'} /simplefin/${string}`): MethodDecorator {
  const [method, path = ''] = call.split(' ');
  return applyDecorators(
    SetMetadata(SIMPLEFIN_PATH, path),
    SetMetadata(OWN_ADMISSION, true),
    RequestMapping({ method: method === 'GET' ? RequestMethod.GET : RequestMethod.POST, path }),
    HttpCode(200),
    UseGuards(SimplefinAdmission),
    UseFilters(SimplefinErrorFilter),
  );
}
