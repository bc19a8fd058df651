import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  Post,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Item } from '../access/find-item.js';
import { OWN_ADMISSION } from '../../http/route.js';
import { PlaidAdmission } from './plaid-admission.guard.js';
import { PLAID_ROUTE, type PlaidRouteOptions } from './plaid-route-options.js';
import { PlaidAnswer } from './plaid-response.interceptor.js';
import { PlaidErrorFilter } from '../errors/plaid-error.filter.js';
import { plaidStateOf } from './plaid-state.js';

/** Declares a call. It follows plaid-compat, not native-api. */
export function PlaidRoute(options: PlaidRouteOptions): MethodDecorator {
  return applyDecorators(
    SetMetadata(PLAID_ROUTE, options),
    SetMetadata(OWN_ADMISSION, true),
    Post(options.path),
    HttpCode(200),
    UseGuards(PlaidAdmission),
    UseInterceptors(PlaidAnswer),
    UseFilters(PlaidErrorFilter),
  );
}

/** The checked body, as `z.output` of the schema its route declares. */
export const PlaidBody = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    plaidStateOf(context.switchToHttp().getRequest<Request>()).body,
);

/** The Item of the access_token; only on routes with `item: true`. */
export const CurrentItem = createParamDecorator((_: unknown, context: ExecutionContext): Item => {
  const { item } = plaidStateOf(context.switchToHttp().getRequest<Request>());
  if (item === null) throw new Error('this route names no item');
  return item;
});

/** Whether this client's requests may name products that are not offered. */
export const IgnoresUnoffered = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    plaidStateOf(context.switchToHttp().getRequest<Request>()).ignoresUnoffered,
);

/** The calls a controller declares. */
export function plaidRoutesOf(controller: Type): PlaidRouteOptions[] {
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = name === 'constructor' ? undefined : prototype[name];
    const options =
      typeof handler === 'function'
        ? (Reflect.getMetadata(PLAID_ROUTE, handler) as PlaidRouteOptions | undefined)
        : undefined;
    return options === undefined ? [] : [options];
  });
}
