import { clientId, clientSecret } from '../support/services/api-in-process.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';

const BURST = 10;
const service = plaidServiceOfFile({
  RATE_LIMIT_COMPAT: 'on',
  RATE_LIMIT_COMPAT_CLIENT: `1/s:${BURST}`,
});

const CALLS = {
  '/item/get': { access_token: 'x' },
  '/accounts/get': { access_token: 'x' },
  '/link/token/get': { link_token: 'x' },
  '/auth/get': {},
} as const;

async function call(index: number, environment: 'sandbox' | 'live'): Promise<Response> {
  const [path, fields] = Object.entries(CALLS)[index % Object.keys(CALLS).length] ?? ['', {}];
  const pair = {
    client_id: clientId('rival', environment),
    secret: clientSecret('rival', environment),
  };
  return fetch(`${service.api.api.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...pair, ...fields }),
  });
}

// plaid-compat 4.1
describe('The rate limit of a client', () => {
  it('applies to all calls together, before the limit of a single call and any other check', async () => {
    const started = performance.now();
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => call(index, 'live')),
    );
    const limited = responses.filter(({ status }) => status === 429);
    const maxGranted = BURST + Math.ceil((performance.now() - started) / 1000);
    expect(responses.length - limited.length).toBeLessThanOrEqual(maxGranted);
    for (const response of limited) {
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toMatchObject({
        error_type: 'RATE_LIMIT_EXCEEDED',
        error_code: 'RATE_LIMIT',
      });
    }
    expect((await call(0, 'sandbox')).status).toBe(400);
  });
});
