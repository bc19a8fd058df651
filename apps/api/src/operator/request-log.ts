import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { PROBES } from '../http/probes.js';
import { stateOf } from '../http/request-state.js';
import type { RequestMetrics } from './request-metrics.js';

/** Writes one log line and one measurement per request, without body, address or headers. */
export function requestLog(logger: Logger, metrics: RequestMetrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    response.once('close', () => {
      const state = stateOf(request);
      const durationMs = performance.now() - state.startedAt;
      const route = state.route ?? 'unknown';
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.observe({ method: request.method, route, status }, durationMs / 1000);
      const fields = {
        method: request.method,
        route,
        status,
        duration_ms: Math.round(durationMs),
        request_id: state.requestId,
        trace_id: state.traceId,
        ...(state.caller === null ? {} : { client_id: state.caller.clientId }),
        ...(state.session === null ? {} : { session_id: state.session.sessionId }),
      };
      // The cause of a part that is down is a line of its own, `health.part_down`.
      // Log: an error from status 500; debug for `/health/`, whatever the status.
      logger[PROBES.has(route) ? 'debug' : status >= 500 ? 'error' : 'info'](
        fields,
        'http.request',
      );
    });
    next();
  };
}
