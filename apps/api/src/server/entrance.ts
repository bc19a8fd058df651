import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { newTraceId, readTraceparent } from '../../../../domain/api/trace-context.js';
import { runFor } from '../../../../prisma/base/database/work-origin.js';
import type { HeaderNames } from '../http/header-names.js';
import type { ResponseBudget } from '../http/response-budget.js';
import { beginRequest } from '../http/request-state.js';
import { repairPath } from '../http/input/undecodable-path.js';

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Headers of every response: by default none is a page, a frame or a script. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  crossOriginEmbedderPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xFrameOptions: { action: 'deny' },
  xXssProtection: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
});

/**
 * The first middleware of every request. Later code overrides `Cache-Control` where native-api 1
 * requires it.
 */
export function entrance(headers: HeaderNames, responses: ResponseBudget) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.headers[headers.requestId];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    const traceId = readTraceparent(request.headers['traceparent']) ?? newTraceId(randomUUID());
    const state = beginRequest(request, { requestId, traceId });
    state.holdResponse = (its, bytes) => responses.hold(its, bytes);
    response.setHeader(headers.requestId, requestId);
    response.setHeader('Cache-Control', 'no-store');
    request.url = repairPath(request.url);
    protect(request, response, (error?: unknown) => runFor(state, () => next(error)));
  };
}
