import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import {
  ApiError,
  invalid,
  validationFailed,
  type ApiErrorBody,
} from '../../../../domain/errors/api-errors.js';
import {
  IdempotencyRepository,
  KeyTaken,
  type FirstUse,
  type Outcome,
} from '../../../../prisma/tenants/applications/idempotency.repository.js';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { toApiError } from '../http/present-error.js';
import { stateOf, type RequestState } from '../http/request-state.js';
import { ROUTE, type RouteOptions } from '../http/route.js';

const HEADER = 'idempotency-key';
const REPLAYED_HEADER = 'idempotency-replayed';
/**
 * native-api 9: visible ASCII. A repeated header arrives joined with a space, which is not allowed.
 */
const KEY = /^[\x21-\x7e]{1,255}$/;
const RETRY_AFTER_SECONDS = 1;

/**
 * Step 6 of native-api 1.3: a call with an `Idempotency-Key` runs once and returns the same
 * response each time. Routes opt in with `idempotent: true`.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly uses: IdempotencyRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = this.reflector.get<RouteOptions | undefined>(ROUTE, context.getHandler());
    const request = context.switchToHttp().getRequest<Request>();
    const key = request.headers[HEADER];
    if (route?.idempotent !== true || key === undefined) return next.handle();
    return from(
      this.once(route, request, context.switchToHttp().getResponse<Response>(), String(key), () =>
        lastValueFrom(next.handle()),
      ),
    );
  }

  private async once(
    route: RouteOptions,
    request: Request,
    response: Response,
    key: string,
    call: () => Promise<unknown>,
  ): Promise<unknown> {
    if (!KEY.test(key))
      throw validationFailed([
        invalid(['header', HEADER], 'Must have 1 to 255 visible ASCII characters.'),
      ]);
    const state = stateOf(request);
    if (state.caller === null) throw new Error('a route with an idempotency key must authenticate');
    const { appId, environment, only, clientId } = state.caller;
    const use = await this.uses.begin({
      appId,
      environment,
      restrictedClient: only === undefined ? undefined : clientId,
      method: route.method,
      path: pathOf(route, request),
      key,
      body: state.rawBody,
    });
    switch (use.kind) {
      case 'mismatch':
        throw new ApiError('api_error.idempotency.mismatch');
      case 'running':
        throw inProgress();
      case 'repeat':
        response.setHeader(REPLAYED_HEADER, 'true');
        return replay(use.outcome);
      case 'first':
        return this.first(use, state, route.status ?? 200, call);
    }
  }

  private async first(
    use: FirstUse,
    state: RequestState,
    status: number,
    call: () => Promise<unknown>,
  ): Promise<unknown> {
    let isKept = false;
    state.keyUse = {
      keeping: (present) => async (tx, effect) => {
        await use.keepIn(tx, { status, body: present(effect) });
        isKept = true;
      },
    };
    let body: unknown;
    try {
      body = await call();
    } catch (error) {
      await this.endRefused(use, state, toApiError(error, 'native', []));
      throw error instanceof KeyTaken ? inProgress() : error;
    }
    await use.end();
    if (!isKept)
      throw new Error('a route with an idempotency key must store its outcome with its effect');
    return body;
  }

  /** A rejected request has no effect, so its outcome need not be stored. */
  private async endRefused(
    use: FirstUse,
    { requestId }: RequestState,
    refusal: ApiError,
  ): Promise<void> {
    const outcome: Outcome = { status: refusal.status, body: refusal.body(null) };
    try {
      await (isKept(refusal.status) ? use.keep(outcome) : use.forget());
    } catch (err) {
      this.logger.error({ err, request_id: requestId }, 'idempotency.not_kept');
    }
  }
}

function inProgress(): ApiError {
  return new ApiError('api_error.idempotency.in_progress', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** The path as the route parsed it, regardless of its spelling. */
function pathOf({ path }: RouteOptions, { params }: Request): string {
  return path.replaceAll(/:([A-Za-z_]+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
}

function isKept(status: number): boolean {
  return ![401, 409, 429].includes(status) && status < 500;
}

function replay({ status, body }: Outcome): unknown {
  if (status < 400) return body;
  throw ApiError.fromBody(status, body as ApiErrorBody);
}
