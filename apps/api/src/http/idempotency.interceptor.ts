import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ApiError, validationFailed, type ApiErrorBody } from '../../../../domain/api-errors.js';
import { IdempotencyRepository, type IdempotentUse, type Outcome } from '../../../../prisma/repositories/idempotency.repository.js';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { toApiError } from './present-error.js';
import { stateOf, type RequestState } from './request-state.js';
import { ROUTE, type RouteOptions } from './route.js';

const HEADER = 'idempotency-key';
const REPLAYED_HEADER = 'idempotency-replayed';
/** native-api 9: visible ASCII. A header sent twice arrives joined by a space, which is none. */
const KEY = /^[\x21-\x7e]{1,255}$/;
const RETRY_AFTER_SECONDS = 1;

/**
 * Step 6 of native-api 1.3: a call that carries an `Idempotency-Key` is done once, and answered the same each time.
 * Routes take part by `idempotent: true`.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector, private readonly uses: IdempotencyRepository, @Inject(LOGGER) private readonly logger: Logger) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = this.reflector.get<RouteOptions | undefined>(ROUTE, context.getHandler());
    const request = context.switchToHttp().getRequest<Request>();
    const key = request.headers[HEADER];
    if (route?.idempotent !== true || key === undefined) return next.handle();
    return from(this.once(route, request, context.switchToHttp().getResponse<Response>(), String(key), () => lastValueFrom(next.handle())));
  }

  private async once(route: RouteOptions, request: Request, response: Response, key: string, call: () => Promise<unknown>): Promise<unknown> {
    if (!KEY.test(key)) throw validationFailed([{ location: ['header', HEADER], message: 'Must have 1 to 255 visible ASCII characters.', type: 'invalid' }]);
    const state = stateOf(request);
    if (state.caller === null) throw new Error('a route that takes an idempotency key has to authenticate');
    const { appId, environment } = state.caller;
    const use = await this.uses.begin({ appId, environment, method: route.method, path: pathOf(route, request), key, body: state.rawBody });
    switch (use.kind) {
      case 'mismatch':
        throw new ApiError('api_error.idempotency.mismatch');
      case 'running':
        throw new ApiError('api_error.idempotency.in_progress', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      case 'repeat':
        response.setHeader(REPLAYED_HEADER, 'true');
        return answerAgain(use.outcome);
      case 'first':
        state.idempotentUse = use.scope;
        return this.first(use, state, route.status ?? 200, call);
    }
  }

  private async first(use: Extract<IdempotentUse, { kind: 'first' }>, state: RequestState, status: number, call: () => Promise<unknown>): Promise<unknown> {
    const settle = async (outcome: Outcome | null): Promise<void> => {
      try {
        await (outcome === null ? use.forget() : use.keep(outcome));
      } catch (err) {
        // What was done is done: the caller hears of it all the same.
        this.logger.error({ err, request_id: state.requestId }, 'idempotency.not_kept');
      }
    };
    let body: unknown;
    try {
      body = await call();
    } catch (error) {
      const refusal = toApiError(error, 'native', []);
      await settle(isKept(refusal.status) ? { status: refusal.status, body: refusal.body() } : null);
      throw error;
    }
    await settle({ status, body });
    return body;
  }
}

/** The address as the route understands it, however it was spelled. */
function pathOf({ path }: RouteOptions, { params }: Request): string {
  return path.replaceAll(/:([A-Za-z_]+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function isKept(status: number): boolean {
  return ![401, 409, 429].includes(status) && status < 500;
}

function answerAgain({ status, body }: Outcome): unknown {
  if (status < 400) return body;
  throw ApiError.fromBody(status, body as ApiErrorBody);
}
