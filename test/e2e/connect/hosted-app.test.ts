import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { errorOf } from '../../support/services/api-client.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';

const PAGE =
  '<!doctype html><html><head><meta name="connect-api" content="" /></head><body><script type="module" src="./assets/index-Ab_1.js"></script></body></html>\n';
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
    expect([status, headers.get('content-type'), text]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      SCRIPT,
    ]);
    expect([headers.get('cross-origin-resource-policy'), headers.get('cache-control')]).toEqual([
      'cross-origin',
      'public, max-age=300',
    ]);
    const again = await service.api.get('/connect/plaid/link-initialize.js', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('is served as the build compressed it, and not compressed for a request', async () => {
    const tag = createHash('sha256').update(SCRIPT).digest('base64url');
    const compressed = join(folder, 'compressed');
    mkdirSync(compressed);
    writeFileSync(join(compressed, `${tag}.br`), 'compressed by the build');
    const get = () =>
      plainGet('/connect/plaid/link-initialize.js', { 'accept-encoding': 'br' }).then(
        ({ headers, body }) => [headers['content-encoding'], body.toString()],
      );
    // A new file: the one before may have been compressed by the API itself.
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
    expect([status, headers.get('content-type'), text]).toEqual([
      200,
      'text/html; charset=utf-8',
      PAGE,
    ]);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self' https:; connect-src http://127.0.0.1:4000/connect/api/; " +
        `form-action 'none'; base-uri 'none'; frame-ancestors ${frameAncestors}`,
    );
    expect([
      headers.get('referrer-policy'),
      headers.get('cross-origin-opener-policy'),
      headers.get('x-content-type-options'),
      headers.get('cache-control'),
      headers.get('x-frame-options'),
    ]).toEqual(['no-referrer', 'unsafe-none', 'nosniff', 'no-cache', null]);
    expect(headers.get('service-request-id')).not.toBeNull();
  });

  it('are revalidated, and not sent again while they are unchanged', async () => {
    const tag = (await service.api.get('/connect/start')).headers.get('etag') ?? '';
    const again = await service.api.get('/connect/start', { headers: { 'if-none-match': tag } });
    expect([again.status, again.text, again.headers.get('cache-control')]).toEqual([
      304,
      '',
      'no-cache',
    ]);
    writeFileSync(join(folder, 'index.html'), PAGE.replace('</body>', '<p>new</p></body>'));
    expect(
      (await service.api.get('/connect/start', { headers: { 'if-none-match': tag } })).status,
    ).toBe(200);
    writeFileSync(join(folder, 'index.html'), PAGE);
  });

  it('return 404 for an asset whose name is longer than a file name can be', async () => {
    const answer = await service.api.get(`/connect/assets/${'a'.repeat(256)}`);
    expect(errorOf(answer)).toMatchObject({ status: 404, code: 'api_error.request.not_found' });
  });

  it('accept only GET and HEAD', async () => {
    const head = await service.api.send('HEAD', '/connect/start');
    expect([head.status, head.text, Number(head.headers.get('content-length'))]).toEqual([
      200,
      '',
      PAGE.length,
    ]);
    const posted = await service.api.post('/connect/start');
    expect([errorOf(posted), posted.headers.get('allow')]).toEqual([
      { status: 405, code: 'api_error.request.method_not_allowed', locations: [] },
      'GET, HEAD',
    ]);
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
    expect([
      status,
      headers.get('content-type'),
      headers.get('cache-control'),
      headers.get('x-content-type-options'),
    ]).toEqual([200, type, 'public, max-age=31536000, immutable', 'nosniff']);
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
    expect([
      br.headers['content-encoding'],
      zipped.headers['content-encoding'],
      plain.headers['content-encoding'],
      refused.headers['content-encoding'],
    ]).toEqual(['br', 'gzip', undefined, undefined]);
    expect([
      brotliDecompressSync(br.body).toString(),
      gunzipSync(zipped.body).toString(),
      plain.body.toString(),
      refused.body.toString(),
    ]).toEqual(Array(4).fill(SCRIPT));
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

it('The hosted app returns an explanation until it is built, and is served as soon as it is', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'tributary-connect-'));
  const unbuilt = await startApiInProcess({}, { connectFolder: join(empty, 'later') });
  try {
    const missing = await unbuilt.api.get('/connect/start');
    expect([missing.status, missing.headers.get('content-type')]).toEqual([
      404,
      'text/plain; charset=utf-8',
    ]);
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
      expect([status, text]).toEqual([200, PAGE.replace('content=""', `content="${calls}"`)]);
      expect(headers.get('content-security-policy')).toContain(`connect-src ${calls}/;`);
    } finally {
      await elsewhere.close();
    }
  },
);
