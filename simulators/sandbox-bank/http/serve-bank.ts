import type { Logger } from 'pino';
import type { Reply } from '../../http/reply.js';
import { serveRoutes, type Handler, type Routes } from '../../http/routes.js';
import { BankError, refusalFor } from './bank-error.js';

const OPTIONS = {
  /** Ids and tokens; everything else is an unknown address. */
  parameter: '([\\w.\\-]{1,100})',
  notFound: new BankError('not_found', 'There is nothing at this address.').reply,
  notAllowed: new BankError('method_not_allowed', 'This address has no such method.').reply,
};

/** Serves every request by its route, every error as a refusal, and logs one line per request. */
export function serveBank(routes: Routes, logger: Logger): Handler {
  const serve = serveRoutes(routes, OPTIONS);
  return async (request) => {
    const startedAt = performance.now();
    const { method, response } = request;
    response.on('error', (error) => logger.debug({ err: error }, 'sandbox_bank.response_lost'));
    let reply: Reply | null;
    let problem: unknown;
    try {
      reply = await serve(request);
    } catch (error) {
      ({ reply } = refusalFor(error));
      problem = error;
    }
    const status = reply?.status ?? response.statusCode;
    // the path of the route, not of the request: a URL may contain data that a log must not
    const path = request.route;
    const line = { method, path, status, duration_ms: Math.round(performance.now() - startedAt) };
    if (problem !== undefined && status >= 500)
      logger.error({ ...line, err: problem }, 'sandbox_bank.request');
    else logger[path.startsWith('/health/') ? 'debug' : 'info'](line, 'sandbox_bank.request');
    return reply;
  };
}
