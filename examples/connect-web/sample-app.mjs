import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { Tributary } from './tributary.mjs';

const PAGES = new URL('./pages/', import.meta.url);
const SDK = new URL('../../packages/connect-js/dist/esm/', import.meta.url);
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };
const NOT_FOUND = { status: 404, type: 'text/plain', body: 'Not found' };
const USER = 'sample-user';

/**
 * Pocket Ledger: a page on connect-js at `/`, the same on connect-react at `/react`, and their back end, which keeps its links in memory.
 * @param {{ apiBaseUrl: string, connectBaseUrl?: string, clientId: string, clientSecret: string, port?: number }} settings
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startSampleApp({ apiBaseUrl, connectBaseUrl = `${apiBaseUrl}/connect`, clientId, clientSecret, port = 0 }) {
  const tributary = new Tributary({ apiBaseUrl, clientId, clientSecret });
  const links = new Set();
  let reactPage;

  /** Each answers JSON, or throws; `id` is the part of the path after `/api/links/`. */
  const routes = {
    'GET /api/settings': () => ({ connectBaseUrl }),
    'GET /api/links': () => Promise.all([...links].map((linkId) => tributary.read(linkId))),
    'POST /api/session': async ({ body, origin }) => {
      const redirectUri = `${origin}${body.page === 'react' ? '/react' : ''}/bank-return`;
      return { linkSessionToken: await tributary.createSession({ userId: USER, redirectUri, linkId: body.linkId }) };
    },
    'POST /api/links': async ({ body }) => {
      const linkId = await tributary.exchange(body.exchangeableToken);
      links.add(linkId);
      return { linkId };
    },
    'POST /api/links/:id/reset': async ({ id }) => (await tributary.reset(id), {}),
    'DELETE /api/links/:id': async ({ id }) => {
      await tributary.disconnect(id);
      links.delete(id);
      return {};
    },
  };

  async function answer(request) {
    const { pathname } = new URL(request.url, 'http://sample');
    if (pathname.startsWith('/api/')) return answerApi(request, pathname);
    if (pathname === '/' || pathname === '/bank-return') return file(new URL('plain.html', PAGES));
    if (pathname === '/react' || pathname === '/react/bank-return') return file(new URL('react.html', PAGES));
    if (pathname === '/react.js') return { type: TYPES['.js'], body: await (reactPage ??= bundleReactPage()) };
    const [, folder, name] = /^\/(sdk\/)?([\w-]+\.\w+)$/.exec(pathname) ?? [];
    return name === undefined ? NOT_FOUND : file(new URL(name, folder === undefined ? PAGES : SDK));
  }

  async function answerApi(request, pathname) {
    const id = /^\/api\/links\/([^/]+)/.exec(pathname)?.[1];
    const route = routes[`${request.method} ${id === undefined ? pathname : pathname.replace(id, ':id')}`];
    if (route === undefined || (id !== undefined && !links.has(id))) return { status: 404, type: 'application/json', body: '{}' };
    // A page of another origin cannot send JSON here without being asked about it first.
    if (request.method === 'POST' && request.headers['content-type'] !== 'application/json') return { status: 415, type: 'application/json', body: '{}' };
    const body = JSON.stringify(await route({ id, body: await readJson(request), origin: `http://${request.headers.host}` }));
    return { type: 'application/json', body };
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error) => (error.code === 'ENOENT' ? NOT_FOUND : { status: 502, type: 'application/json', body: JSON.stringify({ error: error.message }) }))
      .then(({ status = 200, type, body }) => response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const stop = () => new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  return { url: `http://localhost:${server.address().port}`, stop };
}

async function file(address) {
  return { type: TYPES[extname(address.pathname)] ?? 'text/plain', body: await readFile(address) };
}

async function readJson(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}

/** As any bundler would; made when it is first asked for. */
async function bundleReactPage() {
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false, root: new URL('.', PAGES).pathname, logLevel: 'error',
    build: { write: false, rollupOptions: { input: new URL('react-page.tsx', PAGES).pathname } },
  });
  return output.find(({ type }) => type === 'chunk').code;
}
