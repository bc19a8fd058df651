import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Logger } from 'pino';
import type { PageReply } from './sign-in-handler.js';
import { helpPage } from '../pages/help-page.js';
import { PAGE_HEADERS } from '../pages/page-headers.js';
import { STYLE_SHEET_PATH } from '../pages/page-frame.js';
import { problemPage, unavailablePage } from '../pages/problem-page.js';
import { STYLE_SHEET } from '../pages/style-sheet.js';
import { StorageUnavailable } from '../storage/storage-unavailable.js';
import { BankError } from '../http/bank-error.js';

export interface PagesParts {
  /** Null until the database is ready. */
  authorizationServer: () => Provider | null;
  signIn: (
    server: Provider,
    incoming: IncomingMessage,
    response: ServerResponse,
  ) => Promise<PageReply>;
  logger: Logger;
}

interface PageRoute {
  /** The path for the log: a URL may contain data that a log must not. */
  name: (path: string) => string;
  fits: (path: string) => boolean;
  serve: (incoming: IncomingMessage, response: ServerResponse) => Promise<void> | void;
}

/** Its paths in their one spelling: the router of the authorization server ignores case and a slash at the end. */
const OAUTH_PATH =
  /^\/(oauth\/(authorize(\/[\w-]+)?|token|jwks|register)|\.well-known\/openid-configuration)$/;

/**
 * Serves all requests of browsers and OAuth clients. Null for a URL that belongs to the
 * API.
 */
export function createPagesListener({
  authorizationServer,
  signIn,
  logger,
}: PagesParts): (path: string) => RequestListener | null {
  const routes: readonly PageRoute[] = [
    {
      name: () => STYLE_SHEET_PATH,
      fits: (path) => path === STYLE_SHEET_PATH,
      serve: (_, response) => send(response, 200, STYLE_SHEET, 'text/css; charset=utf-8'),
    },
    {
      name: () => '/help/{institutionId}',
      fits: (path) => /^\/help\/[\w.-]+$/.test(path),
      serve: (_, response) => send(response, 200, helpPage()),
    },
    {
      name: () => '/sign-in/{uid}',
      fits: (path) => /^\/sign-in\/[\w-]+$/.test(path),
      serve: serveSignIn,
    },
    {
      name: oauthRouteName,
      fits: (path) => OAUTH_PATH.test(path),
      serve: serveOAuth,
    },
  ];

  async function serveSignIn(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const server = authorizationServer();
    if (server === null) return send(response, 503, unavailablePage());
    const reply = await signIn(server, incoming, response);
    if ('page' in reply) return send(response, reply.status, reply.page);
    response
      .writeHead(303, {
        location: reply.location,
        'cache-control': 'no-store',
        'content-length': 0,
      })
      .end();
  }

  async function serveOAuth(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const server = authorizationServer();
    if (server === null) return send(response, 503, unavailablePage());
    // it names itself by its public address, whatever the address of the request
    const { host, protocol } = new URL(server.issuer);
    Object.assign(incoming.headers, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    });
    await server.callback()(incoming, response);
  }

  return (path) => {
    const route = routes.find(({ fits }) => fits(path));
    if (route === undefined) return null;
    return (incoming, response) => {
      const startedAt = performance.now();
      const log = (): void => {
        const line = {
          method: incoming.method,
          path: route.name(path),
          status: response.statusCode,
          duration_ms: Math.round(performance.now() - startedAt),
        };
        logger.info(line, 'sandbox_bank.request');
      };
      response.once('finish', log);
      response.on('error', (error) => logger.debug({ err: error }, 'sandbox_bank.response_lost'));
      Promise.resolve(route.serve(incoming, response)).catch((error: unknown) =>
        fail(response, error, logger),
      );
    };
  };
}

/** `/oauth/authorize/…` ends with the id of a request. */
function oauthRouteName(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

function fail(response: ServerResponse, error: unknown, logger: Logger): void {
  if (error instanceof BankError) return send(response, error.status, problemPage());
  if (!(error instanceof StorageUnavailable))
    logger.error({ err: error }, 'sandbox_bank.page_failed');
  if (response.headersSent) response.destroy();
  else send(response, 503, unavailablePage());
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/html; charset=utf-8',
): void {
  const bytes = Buffer.from(body);
  response
    .writeHead(status, { ...PAGE_HEADERS, 'content-type': type, 'content-length': bytes.length })
    .end(bytes);
}
