import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { SANDBOX_LOGOS } from '../../../../providers/sandbox/data/sandbox-logos.js';
import type { ScriptedSession } from './scripted-session.js';

/**
 * The headers with which the app must be served (connect 12, docs/operating/proxy-and-tls.md). Every test runs
 * under them. Only `/hosted`, which production serves with frame-ancestors 'none', may be framed
 * here as well, to test that it does nothing in a frame.
 */
const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    "font-src 'self' https:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    'frame-ancestors https: http://localhost:* http://127.0.0.1:*',
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

/** Instead of those of the page: the name of a file changes with its content. */
const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const LOGO = Buffer.from(SANDBOX_LOGOS['sandbox-oauth-bank'] ?? '', 'base64');

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const BUILT = join(ROOT, 'dist/apps/connect');
const SDK = join(ROOT, 'packages/connect-js/dist/esm');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

export interface Running {
  origin: string;
  stop: () => Promise<void>;
}

/**
 * Serves the built app under /connect/ with the headers of production, and the session calls of
 * the session a test has set.
 */
export async function startConnectServer(session: () => ScriptedSession): Promise<Running> {
  return listen(async (request, response, url) => {
    const path = url.pathname.replace(/^\/connect/, '');
    if (path.startsWith('/api/'))
      return answerCall(session(), request, response, url, path.slice('/api'.length));
    // The service's copies of logos; the logo of another address would leave this server.
    if (path === '/logos/bank.png')
      return send(response, 200, { 'Content-Type': 'image/png' }, LOGO);
    const file = join(BUILT, /^\/(start|continue|hosted)$/.test(path) ? 'index.html' : path);
    if (!file.startsWith(BUILT) || !existsSync(file) || extname(file) === '')
      return send(response, 404, {}, '');
    send(
      response,
      200,
      {
        ...PAGE_HEADERS,
        ...(path.startsWith('/assets/') ? ASSET_HEADERS : {}),
        'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
        'Content-Encoding': 'gzip',
      },
      gzipSync(readFileSync(file)),
    );
  });
}

async function answerCall(
  session: ScriptedSession,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  path: string,
): Promise<void> {
  const sent = await text(request);
  const body = (sent === '' ? {} : JSON.parse(sent)) as Record<string, unknown>;
  const answer = await session.answer({
    method: request.method ?? '',
    path,
    query: url.searchParams,
    body,
    authorization: request.headers.authorization,
  });
  send(
    response,
    answer.status,
    { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...answer.headers },
    JSON.stringify(answer.body),
  );
}

/**
 * Serves pages of an integrating app at another origin; a page is a function from its address to
 * its HTML.
 */
export async function startPageServer(
  pages: Record<string, (url: URL) => string>,
): Promise<Running> {
  return listen((_, response, url) => {
    if (url.pathname.startsWith('/sdk/')) {
      return Promise.resolve(
        send(
          response,
          200,
          { 'Content-Type': 'text/javascript' },
          readFileSync(join(SDK, url.pathname.slice('/sdk/'.length))),
        ),
      );
    }
    const page = pages[url.pathname];
    return Promise.resolve(
      page === undefined
        ? send(response, 404, {}, '')
        : send(response, 200, { 'Content-Type': 'text/html; charset=utf-8' }, page(url)),
    );
  });
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>,
): Promise<Running> {
  const server: Server = createServer((request, response) => {
    handle(request, response, new URL(request.url ?? '/', 'http://127.0.0.1')).catch(
      (error: Error) => {
        if (!response.headersSent) send(response, 500, {}, error.stack ?? error.message);
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer,
): void {
  response.writeHead(status, headers).end(body);
}
