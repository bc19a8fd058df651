import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';
import { createToken, FinanceApp } from './support/finance-app.js';

const UNKNOWN_SECRET = 'A'.repeat(44);
const UNKNOWN_PAIR = `${'A'.repeat(22)}:${UNKNOWN_SECRET}`;

describe('The SimpleFIN server', () => {
  let service: ApiInProcess;
  beforeAll(async () => {
    service = await startApiInProcess();
  });
  afterAll(() => service?.close());
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${service.api.baseUrl}/simplefin${path}`, init);

  it('names the versions of the protocol that it serves', async () => {
    const response = await request('/info');
    expect([response.status, await response.json()]).toEqual([200, { versions: ['1.0', '2.0'] }]);
  });

  it('tells people in a page without scripts where setup tokens are created', async () => {
    const response = await request('/create');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(await response.text()).toContain('Use with a finance app');
  });

  it.each<[string, string, RequestInit]>([
    ['an unknown setup token', `/claim/${UNKNOWN_SECRET}`, { method: 'POST' }],
    ['a setup token of another form', '/claim/demo', { method: 'POST' }],
    ['no credential', '/accounts', {}],
    ['an unknown credential', '/accounts', { headers: { authorization: basic(UNKNOWN_PAIR) } }],
    [
      'a credential of another form',
      '/accounts',
      { headers: { authorization: basic('demo:demo') } },
    ],
    ['another scheme', '/accounts', { headers: { authorization: 'Bearer demo' } }],
  ])('refuses %s with 403 and nothing else', async (_name, path, init) => {
    const response = await request(path, init);
    expect({
      status: response.status,
      text: await response.text(),
      type: response.headers.get('content-type'),
      cache: response.headers.get('cache-control'),
    }).toEqual({
      status: 403,
      text: 'Forbidden',
      type: 'text/plain; charset=utf-8',
      cache: 'no-store',
    });
  });

  it('writes no setup token and no credential into its log', async () => {
    const token = await service.token('pocket-ledger');
    const { setup_token: setupToken } = await createToken(service, token, 'user-1');
    const app = new FinanceApp(service.api.baseUrl);
    const accessUrl = await app.connect(setupToken);
    await app.claim(setupToken);
    await app.accounts();
    const { username, password } = new URL(accessUrl);
    const secret = app.claimAddress(setupToken).split('/').at(-1) ?? '';
    const log = service.log();
    for (const hidden of [setupToken, secret, username, password])
      expect(log).not.toContain(hidden);
    expect(log).toContain('"route":"/simplefin/claim/:token"');
    expect(log).toContain('"route":"/simplefin/accounts"');
  });
});

describe('The SimpleFIN server, when an address sends many guesses', () => {
  it('refuses further ones without looking them up, and serves known credentials', async () => {
    const service = await startApiInProcess({ RATE_LIMIT_ANONYMOUS: '1/s:10' });
    try {
      const token = await service.token('pocket-ledger');
      const { setup_token: setupToken } = await createToken(service, token, 'user-1');
      const app = new FinanceApp(service.api.baseUrl);
      await app.connect(setupToken);
      await app.accounts();
      const guesses = await Promise.all(
        Array.from({ length: 100 }, () =>
          fetch(`${service.api.baseUrl}/simplefin/claim/${UNKNOWN_SECRET}`, { method: 'POST' }),
        ),
      );
      const statuses = guesses.map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([403, 429]));
      expect(statuses.filter((status) => status === 403).length).toBeLessThan(50);
      const limited = guesses.find(({ status }) => status === 429);
      expect(limited?.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await app.send()).status).toBe(200);
    } finally {
      await service.close();
    }
  });
});

function basic(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
