import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { NestLogger } from '../../../platform/src/logging/nest-logger.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { AnonymousCalls } from '../anonymous/anonymous-calls.js';
import { anonymousLimit } from '../anonymous/anonymous-limit.js';
import { plaidEntrance, plaidExit } from '../plaid/plaid-entrance.js';
import { connectCors } from '../connect/cors.js';
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
  app.use(entrance(headers, new ResponseBudget(settings)), requestLog(logger, metrics));
  const { baseUrl, connectBaseUrl } = settings;
  const names = { headers, baseUrl };
  answerUnparsedRequests(app.getHttpServer() as Server, names, ({ status, requestId }) => {
    // Log: for a request that ended before it was known.
    logger.info({ status, request_id: requestId }, 'http.unparsed');
  });
  const routes = app.get(RouteTable);
  // Before the limit, so that a page can read its refusal.
  app.use('/connect/api', connectCors(connectBaseUrl, headers));
  const calls = app.get(AnonymousCalls);
  app.use(anonymousLimit({ calls, routes, headers, baseUrl, connectBaseUrl }));
  const plaid = { headers, baseUrl, routes };
  app.use(headLimit(plaid));
  app.use(plaidEntrance(plaid));
  const files = new HostedFiles(connectFolder);
  if (!files.areBuilt) logger.warn({ folder: connectFolder }, 'connect.not_built');
  app.use(new URL(connectBaseUrl).pathname, hostedApp({ files, baseUrl, connectBaseUrl }));
  app.use(plaidExit(plaid));
  return app;
}

/** Demotes Nest's lines about each mapped route, which are useful only when debugging. */
function withQuietRoutes(logger: Logger): Logger {
  return logger.isLevelEnabled('debug') || !logger.isLevelEnabled('warn')
    ? logger
    : logger.child({}, { level: 'warn' });
}
