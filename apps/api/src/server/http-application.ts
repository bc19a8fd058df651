import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { NestLogger } from '../../../platform/src/logging/nest-logger.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { AnonymousCalls } from '../http/anonymous-calls.js';
import { MIDDLEWARE } from '../http/order-of-checks.js';
import { Protocols } from '../http/protocol.js';
import { plaidEntrance, plaidExit } from '../plaid/plaid-protocol.js';
import { anonymousLimit } from './anonymous-limit.js';
import { connectCors } from '../connect/cors.js';
import { callsBesidePage } from '../connect/hosted/calls-beside-page.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import { logos } from '../connect/logos.js';
import { hostedApp } from '../connect/hosted/hosted-app.js';
import { HostedFiles } from '../connect/hosted/hosted-files.js';
import { BoundedHttpAdapter } from './bounded-http-adapter.js';
import { entrance } from './entrance.js';
import { headLimit } from './head-limit.js';
import { answerUnparsedRequests } from './unparsed-requests.js';
import { headerNames } from '../http/header-names.js';
import { ResponseBudget } from '../http/response-budget.js';
import type { RequestMetrics } from '../operator/request-metrics.js';
import { requestLog } from '../operator/request-log.js';
import { RouteTable } from '../http/route-table.js';

export interface HttpParts {
  settings: ApiSettings;
  logger: Logger;
  metrics: RequestMetrics;
  /** The build folder of the hosted app. */
  connectFolder: string;
}

/**
 * The HTTP side of the process: the middleware before routing, without body parser, ETag or
 * x-powered-by.
 */
export async function createHttpApplication(
  module: DynamicModule,
  { settings, logger, metrics, connectFolder }: HttpParts,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    module,
    new BoundedHttpAdapter(settings),
    { bodyParser: false, logger: new NestLogger(withQuietRoutes(logger)), abortOnError: false },
  );
  const headers = headerNames(settings.headerPrefix);
  // native-api 1: routes with an ETag compare it themselves. Express would return 304 for any
  // `If-None-Match: *`.
  const { request } = app.getHttpAdapter().getInstance() as Express;
  Object.defineProperty(request, 'fresh', { value: false });
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', false);
  app.set(
    'trust proxy',
    settings.trustedProxies.map(({ address, prefix }) => `${address}/${prefix}`),
  );
  const { baseUrl, connectBaseUrl } = settings;
  const names = { headers, baseUrl };
  answerUnparsedRequests(app.getHttpServer() as Server, names, ({ status, requestId }) => {
    // Log: for a request that ended before it was known.
    logger.info({ status, request_id: requestId }, 'http.unparsed');
  });
  const protocols = app.get(Protocols);
  const plaid = { ...names, routes: app.get(RouteTable) };
  const files = new HostedFiles(connectFolder);
  if (!files.areBuilt) logger.warn({ folder: connectFolder }, 'connect.not_built');
  const { pathname } = new URL(connectBaseUrl);
  const middleware: Record<
    (typeof MIDDLEWARE)[number],
    [RequestHandler] | [string, RequestHandler]
  > = {
    entrance: [entrance(headers, new ResponseBudget(settings))],
    log: [requestLog(logger, metrics)],
    'calls beside Connect': [callsBesidePage(connectBaseUrl)],
    'cors of Connect': ['/connect/api', connectCors(connectBaseUrl, headers)],
    'anonymous limit': [anonymousLimit(app.get(AnonymousCalls), protocols)],
    'head size': [headLimit(protocols)],
    'paths of Plaid': [plaidEntrance(plaid)],
    logos: [logos(app.get(InstitutionRepository, { strict: false }))],
    'hosted app': [pathname, hostedApp({ files, baseUrl, connectBaseUrl })],
    'unknown paths of Plaid': [plaidExit(plaid)],
  };
  for (const name of MIDDLEWARE) app.use(...middleware[name]);
  return app;
}

/** Demotes Nest's lines about each mapped route, which are useful only when debugging. */
function withQuietRoutes(logger: Logger): Logger {
  return logger.isLevelEnabled('debug') || !logger.isLevelEnabled('warn')
    ? logger
    : logger.child({}, { level: 'warn' });
}
