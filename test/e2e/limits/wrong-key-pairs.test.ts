import { randomBytes } from 'node:crypto';
import { eventually } from '../../support/assertions/eventually.js';
import type { ApiResponse } from '../../support/services/api-client.js';
import {
  clientId,
  clientSecret,
  startApiInProcess,
  type ApiInProcess,
  type AppId,
} from '../../support/services/api-in-process.js';

const WRONG_AT_ONCE = process.env['LONG_RUNS'] ? 200 : 60;
const BURST = 20;

let service: ApiInProcess;
beforeAll(async () => {
  // The callers of these tests come through a proxy, each from its own address.
  service = await startApiInProcess({
    RATE_LIMIT_FAILED_AUTH: `1/s:${BURST}`,
    RATE_LIMIT_TOKEN: '5/s:20',
    RATE_LIMIT_COMPAT: 'off',
    TRUSTED_PROXIES: '127.0.0.1/32',
  });
});
afterAll(async () => {
  await service?.close();
});

interface Pair {
  id: string;
  secret: string;
}

const pairOf = (app: AppId): Pair => ({
  id: clientId(app, 'sandbox'),
  secret: clientSecret(app, 'sandbox'),
});
const from = (address: string) => ({ 'x-forwarded-for': address });

const CALLS = {
  'POST /auth/token with a form': ({ id, secret }: Pair, address: string) =>
    service.api.post('/auth/token', {
      form: { client_id: id, client_secret: secret },
      headers: from(address),
    }),
  'POST /auth/token with Basic': ({ id, secret }: Pair, address: string) =>
    service.api.post('/auth/token', {
      form: {},
      headers: {
        ...from(address),
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      },
    }),
  'POST /oauth/token': ({ id, secret }: Pair, address: string) =>
    service.api.post('/oauth/token', {
      form: { grant_type: 'client_credentials', client_id: id, client_secret: secret },
      headers: from(address),
    }),
  'the Plaid-compatible layer': async ({ id, secret }: Pair, address: string) => {
    const headers = { ...from(address), 'content-type': 'application/json' };
    const body = JSON.stringify({ client_id: id, secret, access_token: 'x' });
    const response = await fetch(`${service.api.baseUrl}/item/get`, {
      method: 'POST',
      headers,
      body,
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as unknown,
    };
  },
} as const;
type Call = keyof typeof CALLS;

type Answer = Pick<ApiResponse, 'status' | 'headers' | 'body'>;

const codeOf = ({ body }: Answer) => {
  const { error, error_code: code } = body as { error?: string; error_code?: string };
  return code ?? error;
};
const LIMITED: Record<Call, string> = {
  'POST /auth/token with a form': 'api_error.rate_limit_exceeded',
  'POST /auth/token with Basic': 'api_error.rate_limit_exceeded',
  'POST /oauth/token': 'temporarily_unavailable',
  'the Plaid-compatible layer': 'RATE_LIMIT',
};

/** Wrong key pairs, half of them of clients that do not exist. */
async function guess(
  call: Call,
  address: string,
  count = WRONG_AT_ONCE,
): Promise<{ refused: Answer[]; limited: Answer[] }> {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const id =
        index % 2 === 0 ? clientId('rival', 'live') : `sandbox_${randomBytes(10).toString('hex')}`;
      return CALLS[call]({ id, secret: randomBytes(32).toString('base64url') }, address);
    }),
  );
  return {
    refused: responses.filter(({ status }) => status !== 429),
    limited: responses.filter(({ status }) => status === 429),
  };
}

const ADDRESSES: [Call, string][] = (Object.keys(CALLS) as Call[]).map((call, index) => [
  call,
  `192.0.2.${index + 1}`,
]);

describe('Wrong key pairs', () => {
  it('are recorded with the client, if there is one, and with their origin, never with the secret', async () => {
    const { id } = pairOf('pocket-ledger');
    const call = CALLS['POST /auth/token with a form'];
    await call({ id, secret: 'canary-secret' }, '198.51.100.1');
    await call({ id: 'canary-client', secret: 'canary-secret' }, '198.51.100.2');
    const rows = () =>
      service.database.prisma.operatorAction.findMany({
        where: { action: 'sign_in' },
        select: { actor: true, subject: true, outcome: true },
      });
    await eventually(async () => expect(await rows()).toHaveLength(2));
    expect(await rows()).toEqual([
      { actor: id, subject: 'key_pair from 198.51.100.1: wrong secret', outcome: 'refused' },
      {
        actor: 'unknown',
        subject: 'key_pair from 198.51.100.2: unknown client',
        outcome: 'refused',
      },
    ]);
  });

  it.each(ADDRESSES)(
    `sent to %s receive 429 when ${WRONG_AT_ONCE} arrive at once from one address`,
    async (call, address) => {
      const started = performance.now();
      const { refused, limited } = await guess(call, address);
      const refilled = Math.ceil((performance.now() - started) / 1000);
      expect(refused.length).toBeLessThanOrEqual(BURST + refilled);
      for (const { status } of refused) expect([400, 401]).toContain(status);
      for (const answer of limited)
        expect({ code: codeOf(answer), retryAfter: answer.headers.get('retry-after') }).toEqual({
          code: LIMITED[call],
          retryAfter: '1',
        });
    },
  );

  it('write nothing to the database', async () => {
    const buckets = () => service.database.prisma.tokenCallBucket.count();
    const before = await buckets();
    await guess('POST /auth/token with a form', '192.0.2.20', BURST);
    expect(await buckets()).toBe(before);
  });

  it('from one address do not limit another one, nor an IPv6 network its neighbors', async () => {
    await guess('POST /oauth/token', '2001:db8:1:1::1');
    const right = CALLS['POST /auth/token with a form'];
    expect((await right(pairOf('pocket-ledger'), '2001:db8:1:2::1')).status).toBe(201);
    const { refused } = await guess('POST /oauth/token', '2001:db8:1:1:ffff::2', 40);
    expect(refused.length).toBeLessThan(BURST);
  });

  it.each(ADDRESSES)('do not lock out a client that %s accepted before', async (call) => {
    const address = '192.0.2.30';
    const own = call === 'the Plaid-compatible layer' ? 'INVALID_ACCESS_TOKEN' : undefined;
    expect(codeOf(await CALLS[call](pairOf('pocket-ledger'), address))).toBe(own);
    expect((await guess(call, address)).limited.length).toBeGreaterThan(0);
    expect(codeOf(await CALLS[call](pairOf('pocket-ledger'), address))).toBe(own);
  });
});

describe('Right key pairs', () => {
  it('are never limited as failures, however many arrive at once for the first time', async () => {
    const other = await startApiInProcess({ RATE_LIMIT_FAILED_AUTH: '1/s:3' });
    try {
      const pairs = (['pocket-ledger', 'rival'] as const).map(pairOf);
      const responses = await Promise.all(
        Array.from({ length: 100 }, (_, index) => {
          const { id, secret } = pairs[index % 2] as Pair;
          return other.api.post('/auth/token', { form: { client_id: id, client_secret: secret } });
        }),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array.from(responses, () => 201));
    } finally {
      await other.close();
    }
  });
});
