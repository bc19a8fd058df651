import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { ServiceConnectionError } from '@tributary/node';
import { BankLinks, OtherUsersLink } from './bank-links.mjs';
import { ADD_A_SOURCE, commandToAllow } from './readiness.mjs';
import { returnAddress, WrongReturnAddress } from './return-address.mjs';

const PAGES = new URL('./pages/', import.meta.url);
const SDK = new URL('../../packages/connect-js/dist/esm/', import.meta.url);
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };
const NOT_FOUND = { status: 404, type: 'text/plain', body: 'Not found' };
/** The names of this computer. Another name that leads here belongs to a foreign page (DNS rebinding). */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
/** A browser has a cookie; a phone sends the token from `POST /api/sign-in`. */
const SIGN_IN = { cookie: /(?:^|; )pocket_ledger=([\w-]+)/, authorization: /^Bearer ([\w-]+)$/ };

/**
 * Pocket Ledger: a page on connect-js at `/`, the same on connect-react at `/react`, and their back end, which keeps users and links in memory and also serves
 * the phone app of `examples/connect-expo`. `host` is the address to listen on, by default only for this computer.
 * `countries` are those whose banks are offered; `user` is signed in by every browser, which otherwise is a user of its own.
 * @param {{ apiBaseUrl: string, connectBaseUrl?: string, clientId: string, clientSecret: string, host?: string, port?: number, countries?: string[], user?: { id: string, links: string[] } }} settings
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startSampleApp({
  apiBaseUrl,
  connectBaseUrl = `${apiBaseUrl}/connect`,
  clientId,
  clientSecret,
  host,
  port = 0,
  countries,
  user: onlyUser,
}) {
  const bankLinks = new BankLinks({ apiBaseUrl, clientId, clientSecret });
  const everyone = onlyUser && { id: onlyUser.id, links: new Set(onlyUser.links) };
  /**
   * Cookie of a browser → its user. Every browser is a user of its own; your app has its sign-in
   * here.
   */
  const signedIn = new Map();
  let reactPage;

  /**
   * Each returns JSON or throws; `id` is the part of the path after `/api/links/`, a link of the
   * user.
   */
  const routes = {
    'GET /api/settings': async ({ origin }) => {
      const { id, isSandbox } = await bankLinks.app();
      return { connectBaseUrl, allowCommand: commandToAllow(id, origin), hasExample: isSandbox };
    },
    'GET /api/links': ({ user }) =>
      Promise.all([...user.links].map((linkId) => bankLinks.read(linkId))),
    'POST /api/session': async ({ user, body: { page, redirectUri, linkId }, origin }) => {
      if (linkId !== undefined && !user.links.has(linkId)) throw new OtherUsersLink();
      if (linkId !== undefined) user.repairing = linkId;
      if (!(await bankLinks.offersBanks())) throw new NotReady('No bank is offered.', ADD_A_SOURCE);
      const linkSessionToken = await bankLinks
        .createSession({
          userId: user.id,
          redirectUri: returnAddress({ page, redirectUri, origin }),
          linkId,
          countries,
        })
        .catch(async (error) => {
          if (error.status !== 403) throw error;
          throw new NotReady(error.message, commandToAllow((await bankLinks.app()).id, origin));
        });
      return { linkSessionToken };
    },
    // Anyone can be led to the return page of someone else's session. So the result counts only for
    // the user whose session it was. With a token the service compares: for a new link, and for a
    // repair that changes nothing until this exchange.
    'POST /api/links': async ({ user, body }) => {
      const linkId = await bankLinks.exchange(body.exchangeableToken, user.id);
      user.links.add(linkId);
      return { linkId };
    },
    // Without a token the repair is done, by the holder of its link_session_token.
    'POST /api/repairs': ({ user, body }) => {
      const linkId = body.existingLinkId ?? user.repairing;
      if (!user.links.has(linkId)) throw new OtherUsersLink();
      user.repairing = undefined;
      return { linkId };
    },
    'POST /api/example': async ({ user }) => {
      const linkId = await bankLinks.linkExample(user.id);
      user.links.add(linkId);
      return { linkId };
    },
    'POST /api/finance-app': ({ user }) => bankLinks.shareWithFinanceApp(user.id),
    'POST /api/links/:id/reset': async ({ id }) => (await bankLinks.reset(id), {}),
    'DELETE /api/links/:id': async ({ user, id }) => {
      await bankLinks.disconnect(id);
      user.links.delete(id);
      return {};
    },
  };

  const userOf = ({ headers: { cookie = '', authorization = '' } }) =>
    signedIn.get(
      SIGN_IN.authorization.exec(authorization)?.[1] ?? SIGN_IN.cookie.exec(cookie)?.[1],
    );

  /** @returns the value that the browser or phone sends from now on */
  function signIn() {
    const session = randomUUID();
    signedIn.set(session, everyone ?? { id: randomUUID(), links: new Set() });
    return session;
  }

  /** Serves a page and signs its browser in. */
  async function page(request, name) {
    const shown = await file(new URL(name, PAGES));
    if (userOf(request) !== undefined) return shown;
    const session = signIn();
    const cookie = `pocket_ledger=${session}; Path=/; HttpOnly; SameSite=Lax`;
    return { ...shown, headers: { 'set-cookie': cookie } };
  }

  const describe = (error) =>
    error instanceof ServiceConnectionError
      ? `Tributary does not respond at ${apiBaseUrl}. Start it, then load this page again.`
      : error.message;

  async function answer(request) {
    if (host === undefined && !LOOPBACK.test(request.headers.host))
      return refuse(403, `Open http://localhost:${request.socket.localPort}`);
    const { pathname } = new URL(request.url, 'http://sample');
    if (pathname.startsWith('/api/')) return answerApi(request, pathname);
    if (pathname === '/' || pathname === '/bank-return') return page(request, 'plain.html');
    if (pathname === '/react' || pathname === '/react/bank-return')
      return page(request, 'react.html');
    if (pathname === '/react.js')
      return { type: TYPES['.js'], body: await (reactPage ??= bundleReactPage()) };
    const [, folder, name] = /^\/(sdk\/)?([\w-]+\.\w+)$/.exec(pathname) ?? [];
    return name === undefined ? NOT_FOUND : file(new URL(name, folder === undefined ? PAGES : SDK));
  }

  async function answerApi(request, pathname) {
    if (request.method === 'POST' && pathname === '/api/sign-in')
      return json({ session: signIn() });
    const user = userOf(request);
    if (user === undefined) return refuse(401, 'Open the page first.');
    const id = /^\/api\/links\/([^/]+)/.exec(pathname)?.[1];
    const route =
      routes[`${request.method} ${id === undefined ? pathname : pathname.replace(id, ':id')}`];
    if (route === undefined || (id !== undefined && !user.links.has(id)))
      return refuse(404, 'Not found');
    // A page of another origin cannot send JSON here without a preflight request.
    if (request.method === 'POST' && request.headers['content-type'] !== 'application/json')
      return refuse(415, 'Send JSON.');
    const body = await readJson(request);
    const result = await route({ user, id, body, origin: `http://${request.headers.host}` });
    return json(result);
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error) => {
        if (error.code === 'ENOENT') return NOT_FOUND;
        return refuse(statusOf(error), describe(error));
      })
      .then(({ status = 200, type, headers = {}, body }) => {
        response
          .writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers })
          .end(body);
      });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host ?? '127.0.0.1', resolve);
  });
  const stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${host ?? 'localhost'}:${server.address().port}`, stop };
}

/** The service is not set up for this app yet; the message names the command of its operator that changes it. */
class NotReady extends Error {
  constructor(problem, command) {
    super(`${problem} The operator of the service can change it: ${command}`);
  }
}

function json(body, status = 200) {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

function refuse(status, error) {
  return json({ error }, status);
}

function statusOf(error) {
  if (error instanceof NotReady) return 409;
  if (error instanceof OtherUsersLink) return 403;
  return error instanceof WrongReturnAddress ? 400 : 502;
}

async function file(address) {
  return { type: TYPES[extname(address.pathname)] ?? 'text/plain', body: await readFile(address) };
}

async function readJson(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}

/** Bundled on first use, as any bundler would. */
async function bundleReactPage() {
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false,
    root: new URL('.', PAGES).pathname,
    logLevel: 'error',
    build: { write: false, rollupOptions: { input: new URL('react-page.tsx', PAGES).pathname } },
  });
  return output.find(({ type }) => type === 'chunk').code;
}
