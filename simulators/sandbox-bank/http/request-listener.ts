import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { parseUrl } from '../../../domain/addresses/parse-url.js';
import { StorageUnavailable } from '../storage/storage-unavailable.js';
import { BankError, BrokenOff } from './bank-error.js';
import { BankRequest } from './bank-request.js';
import type { BankReply, MatchRoute } from './route.js';

/**
 * Serves every request by its route, every error in the one error shape, and logs one line per
 * request.
 */
export function createRequestListener(matchRoute: MatchRoute, logger: Logger): RequestListener {
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const method = incoming.method ?? '';
    let path = 'unknown';
    let reply: BankReply;
    let problem: unknown;
    try {
      const { pathname, query } = parseTarget(incoming.url ?? '/');
      const route = matchRoute(method, pathname);
      path = route.path;
      reply = await route.handle(new BankRequest(incoming, route.params, query));
    } catch (error) {
      if (error instanceof BrokenOff) return breakOff(response);
      reply = errorReply(error);
      if (reply.status >= 500) problem = error;
    }
    send(response, reply);
    // the path of the route, not of the request: a URL may contain data that a log must not
    const line = {
      method,
      path,
      status: reply.status,
      duration_ms: Math.round(performance.now() - startedAt),
    };
    if (problem !== undefined) logger.error({ ...line, err: problem }, 'sandbox_bank.request');
    else logger[path.startsWith('/health/') ? 'debug' : 'info'](line, 'sandbox_bank.request');
  }

  return (incoming, response) => {
    response.on('error', (error) => logger.debug({ err: error }, 'sandbox_bank.response_lost'));
    answer(incoming, response).catch((error: unknown) => {
      logger.error({ err: error }, 'sandbox_bank.answer_failed');
      response.destroy();
    });
  };
}

/** The path as it was sent: `URL` would resolve dot segments and backslashes, so that a route had several spellings. */
function parseTarget(target: string): { pathname: string; query: URLSearchParams } {
  if (!target.startsWith('/') || parseUrl(`http://bank${target}`) === null) {
    throw new BankError('invalid_request', 'The address is not valid.');
  }
  const [pathname = '/', ...rest] = target.split('?');
  return { pathname, query: new URLSearchParams(rest.join('?')) };
}

function errorReply(error: unknown): BankReply {
  const refusal = asBankError(error);
  return {
    status: refusal.status,
    headers: refusal.headers,
    body: { error: { code: refusal.code, message: refusal.message } },
  };
}

function asBankError(error: unknown): BankError {
  if (error instanceof BankError) return error;
  if (error instanceof StorageUnavailable) {
    return new BankError('bank_unavailable', 'The bank is not available at the moment.', {
      'retry-after': '1',
    });
  }
  return new BankError('internal_error', 'The bank could not answer.');
}

const BROKEN_ANSWER = '{"accounts":[{"account_id":"';

function breakOff(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(BROKEN_ANSWER),
  });
  response.end(BROKEN_ANSWER);
}

function send(response: ServerResponse, { status, body, headers = {} }: BankReply): void {
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...(bytes === null
      ? {}
      : { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }),
    ...headers,
  });
  response.end(bytes ?? undefined);
}
