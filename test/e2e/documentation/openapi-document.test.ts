import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess({ HEADER_PREFIX: 'acme', BASE_URL: 'https://api.example' });
});
afterAll(async () => {
  await service?.close();
});

describe('GET /openapi.json', () => {
  it('returns the file in docs, with the address and header names of the service', async () => {
    const { status, headers, text } = await service.api.get('/openapi.json');
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'application/json; charset=utf-8',
    });
    const file = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(text)).toEqual(
      JSON.parse(
        file
          .replaceAll('"service-', '"acme-')
          .replaceAll('http://127.0.0.1:4000', 'https://api.example'),
      ),
    );
  });
});

describe.each(['/', '/docs'])('GET %s', (path) => {
  it('returns a page whose policy allows its own style sheet and nothing else', async () => {
    const { status, headers, text } = await service.api.get(path);
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'text/html; charset=utf-8',
    });
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('HEADER_PREFIX', () => {
  it('is the first word of every custom header', async () => {
    const token = await service.token('pocket-ledger');
    const get = (headers: Record<string, string>) => service.api.get('/links', { token, headers });
    const { headers } = await get({ 'acme-request-id': 'mine', 'acme-version': '2023-02-18' });
    expect({
      acmeRequestId: headers.get('acme-request-id'),
      acmeVersion: headers.get('acme-version'),
    }).toEqual({ acmeRequestId: 'mine', acmeVersion: '2023-02-18' });
    expect([...headers.keys()].filter((name) => name.startsWith('service-'))).toEqual([]);
    expect((await get({ 'acme-version': '2020-01-01' })).status).toBe(400);
    expect(
      (await get({ 'service-version': '2020-01-01', 'service-request-id': 'mine' })).headers.get(
        'acme-request-id',
      ),
    ).not.toBe('mine');
  });
});

describe('The pages and documents that are the same for everyone', () => {
  it.each(['/', '/openapi.json', '/docs', '/compatibility/plaid'])(
    '%s is served as bytes with an ETag, compressed for clients that accept it, and not sent again to those that have it',
    async (path) => {
      const first = await service.api.get(path, { headers: { 'accept-encoding': 'identity' } });
      const compressed = await service.api.get(path, { headers: { 'accept-encoding': 'br' } });
      expect({
        firstEncoding: first.headers.get('content-encoding'),
        encoding: compressed.headers.get('content-encoding'),
        text: compressed.text,
        cacheControl: first.headers.get('cache-control'),
      }).toEqual({
        firstEncoding: null,
        encoding: 'br',
        text: first.text,
        cacheControl: 'no-cache',
      });
      const tag = compressed.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[\w-]{43}-br"$/);
      const again = await service.api.get(path, {
        headers: { 'accept-encoding': 'br', 'if-none-match': tag },
      });
      expect({ status: again.status, text: again.text, etag: again.headers.get('etag') }).toEqual({
        status: 304,
        text: '',
        etag: tag,
      });
    },
  );
});
