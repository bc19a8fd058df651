import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  Post,
  SetMetadata,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { AdmittedBy } from '../../http/admission.js';
import { PlaidChecks } from './plaid-checks.js';
import { PLAID_ROUTE, type PlaidRouteOptions } from './plaid-route-options.js';
import { PlaidAnswer } from './plaid-response.interceptor.js';
import { plaidStateOf, type PlaidState } from './plaid-state.js';

/** Declares a call. It follows plaid-compat, not native-api. */
export function PlaidRoute(options: PlaidRouteOptions): MethodDecorator {
  return applyDecorators(
    SetMetadata(PLAID_ROUTE, options),
    AdmittedBy({ protocol: 'plaid', checks: PlaidChecks, route: options }),
    Post(options.path),
    HttpCode(200),
    UseInterceptors(PlaidAnswer),
  );
}

/** A parameter of a handler, from the results of the checks. */
const fromState = <T>(read: (state: PlaidState) => T) =>
  createParamDecorator((_: unknown, context: ExecutionContext): T =>
    read(plaidStateOf(context.switchToHttp().getRequest<Request>())),
  );

/** The checked body, as `z.output` of the schema its route declares. */
export const PlaidBody = fromState(({ body }) => body);

/** The Item of the access_token; only on routes with `item: true`. */
export const CurrentItem = fromState(({ item }) => {
  if (item === null) throw new Error('this route names no item');
  return item;
});

/** True: this client's requests may name products that are not offered. */
export const IgnoresUnoffered = fromState(({ ignoresUnoffered }) => ignoresUnoffered);
