import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { OWN_ADMISSION, ROUTE, type RouteOptions } from '../http/route.js';
import { Preparation } from './preparation.js';
import { RequestChecks } from './request-checks.js';
import { stateOf } from '../http/request-state.js';

const RETRY_AFTER_SECONDS = 5;
const UNPREPARED = 'The process waits for the parts that GET /health/ready names';

/** Applies the checks of native-api 1.3, in order, once the process is prepared. */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly preparation: Preparation,
    private readonly checks: RequestChecks,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = this.reflector.get<RouteOptions | undefined>(ROUTE, context.getHandler());
    if (!this.preparation.isDone && route?.family !== 'operator')
      throw new ApiError('api_error.unavailable', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: UNPREPARED,
      });
    if (this.reflector.get<boolean | undefined>(OWN_ADMISSION, context.getHandler()) === true)
      return true;
    if (route === undefined)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} has no @Route`);
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const state = stateOf(request);
    state.route = route.path;
    for (const check of this.checks.inOrder) await check({ request, response, route, state });
    return true;
  }
}
