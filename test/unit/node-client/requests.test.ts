import { inspect } from 'node:util';
import {
  ConfigurationError,
  ServiceConnectionError,
  RateLimitError,
  Tributary,
  UnexpectedResponseError,
} from '../../../clients/node/src/index.js';
import { apiErrorFrom } from '../../../clients/node/src/requests/error-families.js';
import { waitBeforeRetry } from '../../../clients/node/src/requests/retry-policy.js';
import { stubbedClient } from './service-stub.js';

const details = {
  status: 503,
  code: 'api_error.unavailable',
  message: 'Down.',
  requestId: undefined,
  documentationUrl: undefined,
  retryAfter: undefined,
  issues: [],
  linkErrorCode: undefined,
};
const refused = (status: number, retryAfter?: number, code = 'http_error') =>
  apiErrorFrom({ ...details, status, code, retryAfter });
const lost = new ServiceConnectionError('Lost.', 'connection_failed');

describe('The wait of the Node client before a retry', () => {
  const READ = { method: 'GET', isIdempotent: false };
  const WRITE = { method: 'POST', isIdempotent: false };
  const KEYED = { method: 'POST', isIdempotent: true };
  const ms = (error: unknown, of = READ, attempt = 0) =>
    waitBeforeRetry(error, of, attempt, () => 0.5);

  it('doubles up to eight seconds, and is a random share of that', () => {
    expect([0, 1, 2, 3, 4, 5, 9].map((attempt) => ms(lost, READ, attempt))).toEqual([
      250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
    ]);
    expect(waitBeforeRetry(lost, READ, 0, () => 0)).toBe(0);
  });

  it('is what Retry-After says and a random share on top, and none at all beyond a minute', () => {
    expect([ms(refused(503, 7)), ms(refused(429, 60)), ms(refused(429, 61))]).toEqual([
      7_250,
      60_250,
      undefined,
    ]);
    expect(waitBeforeRetry(refused(503, 7), READ, 0, () => 0)).toBe(7_000);
  });

  it.each([
    [lost, [true, false, true]],
    [refused(429), [true, true, true]],
    [refused(500), [false, false, false]],
    [refused(502), [true, false, true]],
    [refused(503), [true, false, true]],
    [refused(504), [true, false, true]],
    [refused(409, 1, 'api_error.idempotency.in_progress'), [true, false, true]],
    [refused(409), [false, false, false]],
    [refused(401), [false, false, false]],
    [refused(422), [false, false, false]],
    [new UnexpectedResponseError('Odd.', 200, undefined), [false, false, false]],
    [new Error('a bug'), [false, false, false]],
  ] as const)('after %s exists for what may be repeated', (error, [read, write, keyed]) => {
    expect([READ, WRITE, KEYED].map((of) => ms(error, of) !== undefined)).toEqual([
      read,
      write,
      keyed,
    ]);
    expect(ms(error, { method: 'DELETE', isIdempotent: false }) !== undefined).toBe(write);
    expect(ms(error, { method: 'PATCH', isIdempotent: false }) !== undefined).toBe(read);
  });
});

describe('The access token of the Node client', () => {
  it('is renewed before it expires: in its last tenth, or in its last minute', async () => {
    let now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    const { tributary, tokens } = stubbedClient(() => Response.json({}), { expiresIn: 3_600 });
    const short = stubbedClient(() => Response.json({}), { expiresIn: 100 });
    const after = async (seconds: number) => {
      now += seconds * 1_000;
      await Promise.all([tributary.tokens.introspect(), short.tributary.tokens.introspect()]);
      return [tokens(), short.tokens()];
    };
    expect(await after(0)).toEqual([1, 1]);
    expect(await after(89)).toEqual([1, 1]);
    expect(await after(2)).toEqual([1, 2]);
    expect(await after(3_448)).toEqual([1, 3]);
    expect(await after(2)).toEqual([2, 3]);
  });
});

describe('A signal of the caller', () => {
  it('ends the wait for a retry with its reason', async () => {
    const { tributary, requests } = stubbedClient(
      () => new Response(null, { status: 503, headers: { 'retry-after': '60' } }),
    );
    const abort = new AbortController();
    const call = tributary.links.get('mk_1', { signal: abort.signal });
    setImmediate(() => abort.abort(new Error('the user left')));
    await expect(call).rejects.toThrow('the user left');
    expect(requests).toHaveLength(1);
  });

  it('ends the caller alone, and not the token call that others wait for', async () => {
    const abort = new AbortController();
    const { tributary, tokens } = stubbedClient(() => Response.json({ link_id: 'mk_1' }));
    const [left, stayed] = await Promise.allSettled([
      tributary.links.get('mk_1', { signal: abort.signal }),
      tributary.links.get('mk_1'),
      Promise.resolve().then(() => abort.abort(new Error('the user left'))),
    ]);
    expect([left.status, stayed.status, tokens()]).toEqual(['rejected', 'fulfilled', 1]);
  });

  it('that is aborted already sends nothing', async () => {
    const { tributary, requests } = stubbedClient(() => Response.json({}));
    const call = tributary.links.get('mk_1', { signal: AbortSignal.abort(new Error('too late')) });
    await expect(call).rejects.toThrow('too late');
    expect(requests).toEqual([]);
  });
});

describe('The Node client', () => {
  it('reads Retry-After as a date too', async () => {
    const { tributary } = stubbedClient(
      () =>
        new Response(null, {
          status: 429,
          headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() },
        }),
    );
    const error = await tributary.links.get('mk_1').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as RateLimitError).retryAfter).toBeGreaterThan(3_500);
  });

  it.each(['', 'two words', 'line\n', '€', 'k'.repeat(256)])(
    'refuses %j as an idempotency key before it sends anything',
    async (idempotencyKey) => {
      const { tributary, requests } = stubbedClient(() => Response.json({}));
      await expect(
        tributary.linkSessions.create({ customer_user: { id: 'u' } }, { idempotencyKey }),
      ).rejects.toBeInstanceOf(ConfigurationError);
      expect(requests).toEqual([]);
    },
  );

  it('uses the header names that the operator chose', async () => {
    const { tributary, requests } = stubbedClient(
      () => new Response(null, { status: 404, headers: { 'acme-request-id': 'r-1' } }),
      { headerPrefix: 'acme' },
    );
    await expect(tributary.links.get('mk_1')).rejects.toMatchObject({ requestId: 'r-1' });
    expect(requests[0]?.sent.get('acme-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const headers = { 'acme-signature': 'no JWT' };
    await expect(tributary.webhooks.verify('{}', headers)).rejects.toMatchObject({
      code: 'malformed_signature',
    });
  });

  it('shows no secret when a token cannot be a header', async () => {
    const client = new Tributary({
      baseUrl: 'https://api.example',
      clientId: 'sandbox_1',
      clientSecret: 'canary-of-the-secret',
      fetch: () =>
        Promise.resolve(Response.json({ access_token: 'canary-of-a-token\n', expires_in: 1 })),
    });
    const error = await client.links.get('mk_1').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(inspect(error)).not.toContain('canary');
  });
});
