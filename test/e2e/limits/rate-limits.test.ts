import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import {
  clientId,
  clientSecret,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import {
  TokenCallLimit,
  removeFullBuckets,
} from '../../../prisma/tenants/applications/token-call-limit.js';

const limited = { status: 429, code: 'api_error.rate_limit_exceeded', locations: [] };

/**
 * More concurrent calls than a slow machine refills in the meantime: the burst is granted, and some
 * calls are refused.
 */
async function callAtOnce(
  call: (index: number) => Promise<ApiResponse>,
): Promise<{ granted: ApiResponse[]; refused: ApiResponse[] }> {
  const responses = await Promise.all(Array.from({ length: 60 }, (_, index) => call(index)));
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const response of refused) expect(response.headers.get('retry-after')).toBe('1');
  return { granted: responses.filter(({ status }) => status !== 429), refused };
}

describe('The rate limits', () => {
  let service: ApiInProcess;
  beforeAll(async () => {
    service = await startApiInProcess({ RATE_LIMIT_API: '1/s:5', RATE_LIMIT_TOKEN: '1/s:6' });
  });
  afterAll(async () => {
    await service?.close();
  });

  const tokenCall = (
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ) => service.api.post(path, { form: { grant_type: 'client_credentials', ...form }, headers });
  const pair = (app: 'pocket-ledger' | 'rival', environment: 'sandbox' | 'live') => ({
    client_id: clientId(app, environment),
    client_secret: clientSecret(app, environment),
  });

  it('of calls apply to an app in an environment, over all its tokens', async () => {
    const [one, other] = [
      await service.token('pocket-ledger'),
      await service.token('pocket-ledger'),
    ];
    const otherTenants = [
      await service.token('pocket-ledger', 'live'),
      await service.token('rival'),
    ];
    const { granted, refused } = await callAtOnce((index) =>
      service.api.get(index % 3 === 0 ? '/auth/introspect' : '/links', {
        token: index % 2 === 0 ? one : other,
      }),
    );
    expect(granted.length).toBeGreaterThanOrEqual(5);
    for (const response of granted) expect(response.status).toBe(200);
    for (const response of refused) expect(errorOf(response)).toEqual(limited);
    for (const token of otherTenants)
      expect((await service.api.get('/links', { token })).status).toBe(200);
    expect((await service.api.get('/health/live')).status).toBe(200);
  });

  it('of calls are shown with what is left of them, until nothing is', async () => {
    const token = await service.token('rival');
    const paces: string[] = [];
    const policies = new Set<string | null>();
    for (let status = 200; status === 200;) {
      const response = await service.api.get('/links', { token });
      ({ status } = response);
      policies.add(response.headers.get('ratelimit-policy'));
      paces.push(response.headers.get('ratelimit') ?? 'none');
    }
    expect([...policies]).toEqual(['"app";q=5;w=5']);
    const left = paces.map((pace) => Number(/^"app";r=(\d);t=[1-5]$/.exec(pace)?.[1]));
    expect(left[0]).toBeGreaterThan(0);
    expect(left.at(-1)).toBe(0);
    const anonymous = await service.api.get('/links', { token: 'unknown' });
    expect(anonymous.headers.get('ratelimit')).toBeNull();
  });

  it('of token calls apply to a client and an address, with right and wrong secrets alike', async () => {
    const form = pair('rival', 'live');
    const { granted, refused } = await callAtOnce((index) =>
      tokenCall(
        index % 2 === 0 ? '/auth/token' : '/oauth/token',
        index % 3 === 0 ? form : { ...form, client_secret: 'guess' },
      ),
    );
    expect(granted.length).toBeGreaterThanOrEqual(6);
    for (const { status } of granted) expect([200, 201, 401]).toContain(status);
    const nativeErrors = refused.filter(
      ({ body }) => (body as { error_code?: string }).error_code !== undefined,
    );
    for (const response of nativeErrors) expect(errorOf(response)).toEqual(limited);
    for (const response of refused)
      if (!nativeErrors.includes(response))
        expect(response.body).toEqual({
          error: 'temporarily_unavailable',
          error_description: expect.any(String),
        });
    expect((await tokenCall('/auth/token', pair('pocket-ledger', 'live'))).status).toBe(201);
  });

  it('of token calls are shared by all processes', async () => {
    const [here, there] = [new TokenCallLimit(service.ctx), new TokenCallLimit(service.ctx)];
    const waits = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? here : there).take('client', '192.0.2.1', {
          perSecond: 0.001,
          burst: 7,
        }),
      ),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(7);
    for (const wait of waits.filter((seconds) => seconds > 0)) expect(wait).toBeGreaterThan(900);
    expect(await here.take('client', '192.0.2.2', { perSecond: 0.001, burst: 7 })).toBe(0);
    expect(await here.take('other', '192.0.2.1', { perSecond: 0.001, burst: 7 })).toBe(0);
  });

  it('of token calls refill with time, and full buckets are removed', async () => {
    const limit = new TokenCallLimit(service.ctx);
    const rate = { perSecond: 0.01, burst: 2 };
    const takes = async (count: number) => {
      const waits = [];
      for (let call = 0; call < count; call += 1)
        waits.push(await limit.take('filling', 'a', rate));
      return waits.filter((wait) => wait === 0).length;
    };
    expect(await takes(3)).toBe(2);
    await service.database.pool.query(
      "UPDATE token_call_buckets SET filled_at = filled_at - interval '1 hour'",
    );
    expect(await takes(3)).toBe(2);
    await service.database.pool.query(
      "UPDATE token_call_buckets SET filled_at = filled_at - interval '2 days'",
    );
    expect(await removeFullBuckets(service.ctx, new Date(), 24 * 3_600_000)).toBeGreaterThan(1);
    expect(await service.database.prisma.tokenCallBucket.count()).toBe(0);
  });
});
