import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { errorOf } from '../../support/services/api-client.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';

const PAGE =
  '<!doctype html><html><head><meta name="connect-api" content="" /><link rel="preconnect" href="./api" crossorigin /></head><body><script type="module" src="./assets/index-Ab_1.js"></script></body></html>\n';
const SCRIPT = `export const text = '${'connect '.repeat(500)}';\n`;

let folder: string;
let service: ApiInProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-connect-'));
  build(folder);
  service = await startApiInProcess(
    { BASE_URL: 'http://127.0.0.1:4000' },
    { connectFolder: folder },
  );
});

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

function build(into: string): void {
  mkdirSync(join(into, 'assets', 'nested'), { recursive: true });
  writeFileSync(join(into, 'index.html'), PAGE);
  writeFileSync(join(into, 'assets', 'index-Ab_1.js'), SCRIPT);
  writeFileSync(join(into, 'assets', 'index-Ab_1.css'), 'body{}');
  writeFileSync(join(into, 'assets', 'font-Ab_1.woff2'), 'font');
  mkdirSync(join(into, 'plaid'));
  writeFileSync(join(into, 'plaid', 'link-initialize.js'), SCRIPT);
  writeFileSync(join(into, 'secret.txt'), 'canary-secret');
  writeFileSync(join(into, 'assets', 'nested', 'deep.js'), 'canary-deep');
}

/** Unlike `fetch`, this neither decodes nor normalizes the path. */
function plainGet(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.api.baseUrl);
    const call = request({ hostname, port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    call.on('error', reject);
    call.end();
  });
}

describe('The script for pages made for Plaid (plaid-compat 10.1)', () => {
  it('can be loaded by pages of other origins from a stable address', async () => {
    const { status, headers, text } = await service.api.get('/connect/plaid/link-initialize.js');
    expect({ status, contentType: headers.get('content-type'), text }).toEqual({
      status: 200,
      contentType: 'text/javascript; charset=utf-8',
      text: SCRIPT,
    });
    expect({
      crossOriginResourcePolicy: headers.get('cross-origin-resource-policy'),
      cacheControl: headers.get('cache-control'),
    }).toEqual({ crossOriginResourcePolicy: 'cross-origin', cacheControl: 'public, max-age=300' });
    const again = await service.api.get('/connect/plaid/link-initialize.js', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('is served as the build compressed it, without compressing it for each request', async () => {
    const tag = createHash('sha256').update(SCRIPT).digest('base64url');
    const compressed = join(folder, 'compressed');
    mkdirSync(compressed);
    writeFileSync(join(compressed, `${tag}.br`), 'compressed by the build');
    const get = () =>
      plainGet('/connect/plaid/link-initialize.js', { 'accept-encoding': 'br' }).then(
        ({ headers, body }) => [headers['content-encoding'], body.toString()],
      );
    // A new file, because the API may have compressed the previous one itself.
    writeFileSync(join(folder, 'plaid', 'link-initialize.js'), '');
    expect(await get()).toEqual([undefined, '']);
    writeFileSync(join(folder, 'plaid', 'link-initialize.js'), SCRIPT);
    expect(await get()).toEqual(['br', 'compressed by the build']);
    rmSync(compressed, { recursive: true });
    expect(await get()).toEqual(['br', 'compressed by the build']);
  });

  it.each(['/connect/plaid/', '/connect/plaid/../secret.txt', '/connect/plaid/other.js'])(
    'has no file at %s',
    async (path) => {
      expect((await plainGet(path)).status).toBe(404);
    },
  );
});

describe('The pages of the hosted app', () => {
  const framed = 'https: http://localhost:* http://127.0.0.1:*';
  it.each([
    ['/connect/start', framed],
    ['/connect/continue', framed],
    ['/connect/start?unused=1', framed],
    ['/connect/hosted', "'none'"],
    ['/connect/hosted?unused=1', "'none'"],
  ])('include %s, with frame-ancestors %s in its policy', async (path, frameAncestors) => {
    const { status, headers, text } = await service.api.get(path);
    expect({ status, contentType: headers.get('content-type'), text }).toEqual({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      text: PAGE,
    });
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self' https:; connect-src http://127.0.0.1:4000/connect/api/; " +
        `form-action 'none'; base-uri 'none'; frame-ancestors ${frameAncestors}`,
    );
    expect({
      referrerPolicy: headers.get('referrer-policy'),
      crossOriginOpenerPolicy: headers.get('cross-origin-opener-policy'),
      xContentTypeOptions: headers.get('x-content-type-options'),
      cacheControl: headers.get('cache-control'),
      xFrameOptions: headers.get('x-frame-options'),
    }).toEqual({
      referrerPolicy: 'no-referrer',
      crossOriginOpenerPolicy: 'unsafe-none',
      xContentTypeOptions: 'nosniff',
      cacheControl: 'no-cache',
      xFrameOptions: null,
    });
    expect(headers.get('service-request-id')).not.toBeNull();
  });

  it('are revalidated, and not sent again if they are unchanged', async () => {
    const tag = (await service.api.get('/connect/start')).headers.get('etag') ?? '';
    const again = await service.api.get('/connect/start', { headers: { 'if-none-match': tag } });
    expect({
      status: again.status,
      text: again.text,
      cacheControl: again.headers.get('cache-control'),
    }).toEqual({ status: 304, text: '', cacheControl: 'no-cache' });
    writeFileSync(join(folder, 'index.html'), PAGE.replace('</body>', '<p>new</p></body>'));
    expect(
      (await service.api.get('/connect/start', { headers: { 'if-none-match': tag } })).status,
    ).toBe(200);
    writeFileSync(join(folder, 'index.html'), PAGE);
  });

  it('return 404 for an asset whose name exceeds the maximum length of a file name', async () => {
    const answer = await service.api.get(`/connect/assets/${'a'.repeat(256)}`);
    expect(errorOf(answer)).toMatchObject({ status: 404, code: 'api_error.request.not_found' });
  });

  it('accept only GET and HEAD', async () => {
    const head = await service.api.send('HEAD', '/connect/start');
    expect({
      status: head.status,
      text: head.text,
      contentLength: Number(head.headers.get('content-length')),
    }).toEqual({ status: 200, text: '', contentLength: PAGE.length });
    const posted = await service.api.post('/connect/start');
    expect({ error: errorOf(posted), allow: posted.headers.get('allow') }).toEqual({
      error: { status: 405, code: 'api_error.request.method_not_allowed', locations: [] },
      allow: 'GET, HEAD',
    });
  });

  it.each([
    '/connect',
    '/connect/',
    '/connect/start/',
    '/connect/other',
    '/start',
    '/connect/index.html',
    '/connect/secret.txt',
  ])('do not include %s', async (path) => {
    expect(errorOf(await service.api.get(path))).toMatchObject({
      status: 404,
      code: 'api_error.request.not_found',
    });
  });
});

describe('The assets of the hosted app', () => {
  it.each([
    ['index-Ab_1.js', 'text/javascript; charset=utf-8'],
    ['index-Ab_1.css', 'text/css; charset=utf-8'],
    ['font-Ab_1.woff2', 'font/woff2'],
  ])('include %s, which is cached permanently', async (name, type) => {
    const { status, headers } = await service.api.get(`/connect/assets/${name}`);
    expect({
      status,
      contentType: headers.get('content-type'),
      cacheControl: headers.get('cache-control'),
      xContentTypeOptions: headers.get('x-content-type-options'),
    }).toEqual({
      status: 200,
      contentType: type,
      cacheControl: 'public, max-age=31536000, immutable',
      xContentTypeOptions: 'nosniff',
    });
  });

  it('are compressed for clients that accept it', async () => {
    const get = (encoding: string) =>
      plainGet('/connect/assets/index-Ab_1.js', { 'accept-encoding': encoding });
    const [br, zipped, plain, refused] = [
      await get('gzip, deflate, br'),
      await get('gzip;q=0.5'),
      await get('identity'),
      await get('br;q=0, gzip;q=0.0'),
    ];
    expect({
      brotli: br.headers['content-encoding'],
      gzip: zipped.headers['content-encoding'],
      plain: plain.headers['content-encoding'],
      refused: refused.headers['content-encoding'],
    }).toEqual({ brotli: 'br', gzip: 'gzip', plain: undefined, refused: undefined });
    expect(brotliDecompressSync(br.body).toString()).toBe(SCRIPT);
    expect(gunzipSync(zipped.body).toString()).toBe(SCRIPT);
    expect(plain.body.toString()).toBe(SCRIPT);
    expect(refused.body.toString()).toBe(SCRIPT);
    expect(br.body.length).toBeLessThan(SCRIPT.length / 10);
    for (const { headers } of [br, zipped, plain])
      expect(String(headers['vary'])).toContain('Accept-Encoding');
    expect(new Set([br, zipped, plain].map(({ headers }) => headers['etag'])).size).toBe(3);
  });

  it.each([
    '/connect/assets/',
    '/connect/assets/none.js',
    '/connect/assets/nested',
    '/connect/assets/nested/deep.js',
    '/connect/assets/nested%2Fdeep.js',
    '/connect/assets/%69ndex-Ab_1.js',
    '/connect/assets/..%2fsecret.txt',
    '/connect/assets/../secret.txt',
    '/connect/assets/..%5csecret.txt',
    '/connect/assets/%2e%2e/secret.txt',
    '/connect/assets/index-Ab_1.js%00',
    '/connect/assets/%ZZ',
    '/connect/assets/.hidden',
  ])('do not include %s', async (path) => {
    const { status, body } = await plainGet(path);
    expect(status).toBe(404);
    expect(body.toString()).not.toContain('canary');
  });
});

it('The hosted app is explained by a placeholder until it is built, and is served as soon as it is', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'tributary-connect-'));
  const unbuilt = await startApiInProcess({}, { connectFolder: join(empty, 'later') });
  try {
    const missing = await unbuilt.api.get('/connect/start');
    expect({ status: missing.status, contentType: missing.headers.get('content-type') }).toEqual({
      status: 404,
      contentType: 'text/plain; charset=utf-8',
    });
    expect(missing.text).toContain('npm run build');
    expect((await unbuilt.api.get('/connect/assets/index-Ab_1.js')).status).toBe(404);
    expect(unbuilt.log()).toContain('connect.not_built');
    build(join(empty, 'later'));
    expect((await unbuilt.api.get('/connect/start')).status).toBe(200);
    expect((await unbuilt.api.get('/connect/assets/index-Ab_1.js')).status).toBe(200);
  } finally {
    await unbuilt.close();
    rmSync(empty, { recursive: true, force: true });
  }
});

it.each([
  ['https://connect.example', '/start', 'https://api.example/v1/connect/api'],
  ['https://api.example/link', '/link/start', 'https://api.example/v1/connect/api'],
])(
  'The hosted app is served at the path of CONNECT_BASE_URL (%s) with the address of the session calls',
  async (connectBaseUrl, path, calls) => {
    const elsewhere = await startApiInProcess(
      { BASE_URL: 'https://api.example/v1', CONNECT_BASE_URL: connectBaseUrl },
      { connectFolder: folder },
    );
    try {
      const { status, text, headers } = await elsewhere.api.get(path);
      expect({ status, text }).toEqual({
        status: 200,
        text: PAGE.replace('content=""', `content="${calls}"`).replace(
          'href="./api"',
          `href="${calls}"`,
        ),
      });
      expect(headers.get('content-security-policy')).toContain(`connect-src ${calls}/;`);
    } finally {
      await elsewhere.close();
    }
  },
);

it.each([
  ['https://connect.example', '/api/session/resumable'],
  ['https://api.example/link', '/link/api/session/resumable'],
])(
  'An SDK that knows the address of Connect alone (%s) finds below it what a link can continue',
  async (connectBaseUrl, path) => {
    const elsewhere = await startApiInProcess(
      { BASE_URL: 'https://api.example/v1', CONNECT_BASE_URL: connectBaseUrl },
      { connectFolder: folder },
    );
    try {
      for (const address of [path, '/connect/api/session/resumable']) {
        // The document has one of these addresses.
        const response = await fetch(elsewhere.api.baseUrl + address, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ url: 'app://bank' }),
        });
        expect([response.status, await response.json()]).toEqual([200, { resumable: false }]);
      }
    } finally {
      await elsewhere.close();
    }
  },
);
