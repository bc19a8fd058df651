import express, { Router, type Express } from 'express';
import { ConsoleCodeRepository } from '../../../prisma/operations/console/console-code.repository.js';
import { ConsoleSessionRepository } from '../../../prisma/operations/console/console-session.repository.js';
import type { SettingsOf } from '../../platform/src/config/settings.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import type { Service } from '../../operator/src/service.js';
import { notFound } from './access/console-failure.js';
import { ConsoleTokens } from './forwarding/console-tokens.js';
import { forward } from './forwarding/forward.js';
import type { Operation } from './operations/operation.js';
import { operationRoutes } from './operation-routes.js';
import { sessionDescriber } from './sign-in/describe-session.js';
import { OidcSignIn } from './sign-in/oidc.js';
import { SessionCookie } from './sign-in/session-cookie.js';
import { Sessions } from './sign-in/sessions.js';
import { signInRoutes } from './sign-in/sign-in-routes.js';
import { errors } from './listener/errors.js';
import { pageFiles } from './listener/page-files.js';
import { sameOrigin } from './listener/same-origin.js';

const MAX_BODY = '256kb';

export interface ConsoleAppParts {
  settings: SettingsOf<'console'>;
  service: Service;
  logger: Logger;
  operations: readonly Operation[];
  /** The build folder of the page. */
  folder: string;
}

/** The listener of the console: its page, the sign-in, the operations, and the calls that it forwards to the API. */
export function consoleApp({
  settings,
  service,
  logger,
  operations,
  folder,
}: ConsoleAppParts): Express {
  const { context } = service;
  const { consoleBaseUrl: baseUrl } = settings;
  const now = context.clock;
  const sessions = new Sessions(
    new ConsoleSessionRepository(context),
    service.actions,
    new SessionCookie(baseUrl, 'console'),
  );
  const forwarding = {
    service,
    tokens: new ConsoleTokens(context),
    apiUrl: settings.consoleApiUrl.replace(/\/$/, ''),
    now,
  };
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((_request, response, next) => {
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    // Connect, in a frame of the page, opens the window of a bank.
    response.setHeader('cross-origin-opener-policy', 'same-origin-allow-popups');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    next();
  });
  app.get('/health/live', (_request, response) => {
    response.json({ status: 'live' });
  });
  app.get('/health/ready', async (_request, response) => {
    const isReady = await service.database.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'unavailable' });
  });
  app.use(sameOrigin(baseUrl));
  const api = Router();
  api.use((_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    next();
  });
  api.use(express.json({ limit: MAX_BODY, strict: true }));
  api.use(
    '/session',
    signInRoutes({
      codes: new ConsoleCodeRepository(context),
      sessions,
      describeSession: sessionDescriber(service, settings),
      oidc: oidcOf(settings, now),
      oidcCookie: new SessionCookie(baseUrl, 'console_oidc'),
    }),
  );
  api.all('/as/:app/:env/*path', async (request, response) => {
    await forward(forwarding, await sessions.of(request), request, response);
  });
  api.use(operationRoutes(operations, { service, sessions, now }));
  api.use(() => {
    throw notFound();
  });
  app.use('/api', api);
  app.use(pageFiles(folder, new URL(settings.connectBaseUrl).origin));
  app.use(errors(logger));
  return app;
}

function oidcOf(settings: SettingsOf<'console'>, now: () => Date): OidcSignIn | null {
  const { consoleOidcIssuer: issuer, consoleOidcClientId: clientId } = settings;
  return issuer === undefined || clientId === undefined
    ? null
    : new OidcSignIn(
        {
          issuer,
          clientId,
          clientSecret: settings.consoleOidcClientSecret,
          rolesClaim: settings.consoleOidcRolesClaim,
          baseUrl: settings.consoleBaseUrl,
        },
        now,
      );
}
