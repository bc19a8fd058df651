import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request } from 'express';
import { permits } from '../../../../domain/api/scopes.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { AppUseRepository } from '../../../../prisma/tenants/usage/app-use.repository.js';
import { Authenticator } from '../auth/authenticator.js';
import { ConnectLimits } from '../connect/connect-limits.js';
import { SessionAuthenticator } from '../connect/session/session-authenticator.js';
import { CallLimits } from '../http/call-limits.js';
import { bearerToken } from '../http/bearer-token.js';
import { headerNames, type HeaderNames } from '../http/header-names.js';
import { limitsOf } from '../http/input/input-limits.js';
import { isExpectedMediaType } from '../http/input/media-type.js';
import { BodyBudgets } from '../http/input/body-budgets.js';
import { refuseDeclaredSize } from '../http/input/read-body.js';
import type { Admission, RequestChecks } from '../http/admission.js';
import { showPace } from '../http/rate-limit-headers.js';
import { ownerOf, stateOf } from '../http/request-state.js';
import type { RouteOptions } from '../http/route.js';
import { checkShape } from '../http/input/check-shape.js';
import { changesSince, versionOf } from '../http/api-versions.js';

type Native = Admission<RouteOptions>;

/**
 * Steps 1 to 5 of native-api 1.3, of which Connect has some. Step 6 is `IdempotencyInterceptor`; later steps need the link
 * and are in links/link-access.ts.
 */
@Injectable()
export class NativeChecks implements RequestChecks<'native' | 'connect', RouteOptions> {
  private readonly headers: HeaderNames;

  constructor(
    @Inject(SETTINGS) settings: ApiSettings,
    private readonly authenticator: Authenticator,
    private readonly sessions: SessionAuthenticator,
    private readonly connectLimits: ConnectLimits,
    private readonly calls: CallLimits,
    private readonly bodies: BodyBudgets,
    private readonly use: AppUseRepository,
    private readonly modules: ModuleRef,
  ) {
    this.headers = headerNames(settings.headerPrefix);
  }

  readonly checks = {
    'declared size': ({ request, route }: Native): void =>
      refuseDeclaredSize(request, limitsOf(route).bytes),

    'media type': ({ request, route: { body } }: Native): void => {
      if (body !== undefined && !isExpectedMediaType(request.headers, body))
        throw new ApiError('api_error.request.unsupported_media_type');
    },

    credential: async ({ request, route, state }: Native): Promise<void> => {
      if (route.auth === 'connect') {
        state.session = await authenticated(request, this.sessions);
        state.owner = ownerOf(state.session);
      }
      if (route.auth !== 'bearer') return;
      state.caller = await authenticated(request, this.authenticator);
      state.owner = ownerOf(state.caller);
    },

    scope: ({ route: { scopes }, state: { caller } }: Native): void => {
      const [scope] = scopes ?? [];
      if (caller === null || scope === undefined) return;
      if (scopes?.some((each) => permits(caller.scopes, each)) !== true)
        throw new ApiError('api_error.auth.unauthorized', {
          message: `The token lacks the scope ${scope}.`,
          challenge: { error: 'insufficient_scope', scope },
        });
    },

    environment: ({ route, state: { caller } }: Native): void => {
      if (route.sandboxOnly && caller?.environment !== 'sandbox')
        throw new ApiError('api_error.sandbox_only');
    },

    'rate limit': ({ response, state: { session, caller } }: Native): void => {
      if (session !== null) this.connectLimits.take(session.sessionId);
      if (caller === null) return;
      try {
        this.calls.take(caller);
      } finally {
        const { policy, pace } = this.calls.paceOf(caller);
        showPace(response, policy, pace);
      }
    },

    /** native-api 8: Sandbox calls with an effect; those that add rows need room for them. Deleting is always possible. */
    'sandbox calls': async ({
      route: { method, sandboxOnly },
      state: { caller },
    }: Native): Promise<void> => {
      if (caller?.environment !== 'sandbox' || method === 'GET' || method === 'DELETE') return;
      await this.use.take(caller, { sandbox_calls: 1 }, sandboxOnly ? { rows: 1 } : {});
    },

    /** The first byte of a body is read here, once its sender is known, unless only the body identifies the sender. */
    body: async ({ request, response, route, state }: Native): Promise<void> => {
      if (route.body === undefined) return;
      state.rawBody = await this.bodies.read(request, response, limitsOf(route).bytes);
    },

    version: ({ request, response, route, state }: Native): void => {
      if (route.family !== 'native') return;
      const version = versionOf(request.headers[this.headers.version]);
      response.setHeader(this.headers.version, version);
      state.laterChanges = changesSince(version, `${route.method} ${route.path}`);
    },

    shape: async ({ request, route, state }: Native): Promise<void> => {
      state.input = await checkShape(route, {
        params: request.params,
        url: request.url,
        rawBody: state.rawBody,
      });
      if (state.caller === null || route.check === undefined) return;
      const check = this.modules.get(route.check, { strict: false });
      state.checkResult = await check.check(state.caller, state.input);
    },
  };
}

/** @throws ApiError when the token is wrong, or its address has no attempts left */
function authenticated<T>(
  request: Request,
  authenticator: { authenticate(authorization: string | undefined): Promise<T> },
): Promise<T> {
  const { authorization } = request.headers;
  return stateOf(request).anonymous.authenticate(bearerToken(authorization), () =>
    authenticator.authenticate(authorization),
  );
}
