import { Injectable, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { OWN_ADMISSION, type RequestChecks } from '../http/admission.js';
import { CHECKS } from '../http/order-of-checks.js';
import type { ProtocolName } from '../http/protocol.js';
import { stateOf } from '../http/request-state.js';
import { ROUTE, type RouteOptions } from '../http/route.js';
import { NativeChecks } from './native-checks.js';
import { Preparation } from './preparation.js';

const RETRY_AFTER_SECONDS = 5;
const UNPREPARED = 'The process waits for the parts that GET /health/ready names';

interface AnyAdmission {
  protocol: ProtocolName;
  checks: Type<unknown>;
  route: { path: string };
}
type AnyChecks = RequestChecks<ProtocolName, { path: string }>;

/** Applies the checks of the protocol, in their order, once the process is prepared. */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly preparation: Preparation,
    private readonly modules: ModuleRef,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    const native = this.reflector.get<RouteOptions | undefined>(ROUTE, handler);
    if (!this.preparation.isDone && native?.family !== 'operator')
      throw new ApiError('api_error.unavailable', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: UNPREPARED,
      });
    const admission =
      this.reflector.get<AnyAdmission | undefined>(OWN_ADMISSION, handler) ?? admissionOf(native);
    if (admission === null)
      throw new Error(`${context.getClass().name}.${handler.name} has no @Route`);
    const { protocol, route } = admission;
    const { checks } = this.modules.get<AnyChecks>(admission.checks, { strict: false });
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const state = stateOf(request);
    state.route = route.path;
    for (const name of CHECKS[protocol]) await checks[name]({ request, response, route, state });
    return true;
  }
}

function admissionOf(route: RouteOptions | undefined): AnyAdmission | null {
  if (route === undefined) return null;
  const protocol = route.family === 'connect' ? 'connect' : 'native';
  return { protocol, checks: NativeChecks, route };
}
