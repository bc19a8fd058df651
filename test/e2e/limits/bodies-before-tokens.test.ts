import { eventually } from '../../support/assertions/eventually.js';
import {
  sendHalf,
  type HalfSentCaller,
  type HalfSentRequest,
} from './support/half-sent-request.js';
import {
  clientId,
  clientSecret,
  openSession,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

const MIB = 1024 * 1024;
/** A body that declares at most this length counts with its whole size from the start. */
const HELD_AT_ONCE = 16 * 1024;
const JSON_BODY = { 'content-type': 'application/json' };
const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const from = (address: string) => ({ 'x-forwarded-for': address });
const keys = {
  'plaid-client-id': clientId('pocket-ledger', 'sandbox'),
  'plaid-secret': clientSecret('pocket-ledger', 'sandbox'),
};

let service: ApiInProcess;
let token: string;
let connectToken: string;
const callers: HalfSentCaller[] = [];
beforeAll(async () => {
  // The callers of these tests come through a proxy, each from its own address.
  service = await startApiInProcess({
    MAX_BODIES_PER_APP: '1MiB',
    MAX_UNADMITTED_BODIES: '3MiB',
    MAX_UNADMITTED_BODIES_PER_ADDRESS: '1MiB',
    TRUSTED_PROXIES: '127.0.0.1/32',
    RATE_LIMIT_API: '1/s:30',
    RATE_LIMIT_COMPAT: 'off',
  });
  token = await service.token('pocket-ledger');
  ({ connectToken } = await openSession(service, token));
});
afterEach(() => {
  for (const { socket } of callers.splice(0)) socket.destroy();
});
afterAll(async () => {
  await service?.close();
});

async function half(request: HalfSentRequest): Promise<HalfSentCaller> {
  const caller = await sendHalf(service.api.baseUrl, request);
  callers.push(caller);
  return caller;
}

const statusOf = async (request: HalfSentRequest) =>
  (await (await half(request)).response()).status;

/** A complete small call with a key pair in its body, which is read before the pair is checked. */
async function plaidCall(address: string): Promise<number> {
  const { status } = await fetch(`${service.api.baseUrl}/item/get`, {
    method: 'POST',
    headers: { ...JSON_BODY, ...from(address) },
    body: JSON.stringify({ client_id: 'unknown', secret: 'x', access_token: 'x' }),
  });
  return status;
}

/** Starts bodies whose credentials would come at their end. */
const fill = (address: string): Promise<void> =>
  fillWith({ path: '/item/get', headers: { ...JSON_BODY, ...from(address) } });

/**
 * Starts such bodies until one is refused, because the others use up the memory that the settings
 * above allow.
 */
async function fillWith(request: Pick<HalfSentRequest, 'path' | 'headers'>): Promise<void> {
  const fitting = MIB / HELD_AT_ONCE;
  const callers = await Promise.all(
    Array.from({ length: fitting + 1 }, () =>
      half({ ...request, length: HELD_AT_ONCE, sent: '{' }),
    ),
  );
  const refused = await Promise.race(callers.map((caller) => caller.response()));
  expect(refused.status).toBe(503);
}

describe('Before any byte of its body is read, a call', () => {
  it.each<[string, HalfSentRequest, number]>([
    [
      'of the native API with an unknown token is refused',
      { path: '/link-session', headers: { ...JSON_BODY, ...bearer('unknown') }, length: MIB },
      401,
    ],
    [
      'of the native API without a token and without a declared length is refused',
      { path: '/links/import', headers: JSON_BODY, length: null, sent: '{' },
      401,
    ],
    [
      'of Connect with an unknown token is refused',
      {
        path: '/connect/api/session/step',
        headers: { ...JSON_BODY, ...bearer('unknown') },
        length: 1000,
        sent: '{',
      },
      401,
    ],
    [
      'of the compatibility layer with a wrong key pair in its headers is refused',
      { path: '/item/get', headers: { ...JSON_BODY, ...keys, 'plaid-secret': 'x' }, length: MIB },
      400,
    ],
    [
      'with a declared size beyond its limit is refused',
      { path: '/auth/token', headers: FORM_BODY, length: 8193 },
      413,
    ],
    [
      'of another media type is refused',
      { path: '/link-session', headers: { 'content-type': 'text/plain' }, length: 100 },
      415,
    ],
  ])('%s', async (_name, request, status) => {
    expect(await statusOf(request)).toBe(status);
  });

  it('beyond the general rate limit is refused', async () => {
    const rival = await service.token('rival');
    await Promise.all(
      Array.from({ length: 40 }, () => service.api.get('/links', { token: rival })),
    );
    const request = { path: '/link-session', headers: { ...JSON_BODY, ...bearer(rival) } };
    const calls = await Promise.all(
      Array.from({ length: 5 }, () => half({ ...request, length: MIB })),
    );
    const first = await Promise.race(calls.map((call) => call.response()));
    expect(first.status).toBe(429);
  });

  it('that needs no body is served', async () => {
    const headers = { ...JSON_BODY, ...bearer(token) };
    const length = 200_000;
    const calls = [
      { method: 'GET', path: '/links', headers, length },
      { method: 'POST', path: '/links/mk_unknown/reset', headers, length },
      { method: 'GET', path: '/health/live', headers: {}, length },
      { method: 'GET', path: '/connect/api/session', headers: bearer(connectToken), length },
      { method: 'GET', path: '/compatibility/plaid', headers: {}, length },
    ];
    expect(await Promise.all(calls.map(statusOf))).toEqual([200, 404, 200, 200, 200]);
  });
});

describe('A body without a declared length that is too large', () => {
  const request = { path: '/auth/token', headers: FORM_BODY, length: null, sent: 'x'.repeat(8193) };

  it('is refused with 413', async () => {
    expect(await statusOf(request)).toBe(413);
  });

  it('is refused with 413 before the version header is checked, and after the token is', async () => {
    const sent = 'x'.repeat(256 * 1024 + 1);
    const path = '/link-session/exchange-token';
    const headers = { ...JSON_BODY, 'service-version': 'x' };
    expect(await statusOf({ ...request, path, sent, headers })).toBe(401);
    expect(
      await statusOf({ ...request, path, sent, headers: { ...headers, ...bearer(token) } }),
    ).toBe(413);
  });
});

/** Each sends its credentials in the body, and declares more than an address may still send. */
const UNADMITTED = {
  native: { path: '/auth/token', headers: FORM_BODY, length: 8_000 },
  oauth: { path: '/oauth/token', headers: FORM_BODY, length: 8_000 },
  open: { path: '/connect/api/session/open', headers: JSON_BODY, length: 8_000 },
  reopen: { path: '/connect/api/session/reopen', headers: JSON_BODY, length: 8_000 },
  resume: { path: '/connect/api/session/resume', headers: JSON_BODY, length: 8_000 },
  resumable: { path: '/connect/api/session/resumable', headers: JSON_BODY, length: 8_000 },
  compatibility: { path: '/item/get', headers: JSON_BODY, length: 8_000 },
  webhook: { path: '/provider-webhooks/fdx/x', headers: JSON_BODY, length: 8_000 },
} as const;
const REFUSALS: Record<keyof typeof UNADMITTED, object> = {
  native: { error_code: 'api_error.unavailable' },
  oauth: { error: 'temporarily_unavailable' },
  open: { error_code: 'connect_error.unavailable' },
  reopen: { error_code: 'connect_error.unavailable' },
  resume: { error_code: 'connect_error.unavailable' },
  resumable: { error_code: 'connect_error.unavailable' },
  compatibility: { error_type: 'API_ERROR', error_code: 'PLANNED_MAINTENANCE' },
  webhook: { error_code: 'api_error.unavailable' },
};

describe('While bodies with credentials of one address fill its share of the memory, a call', () => {
  const busy = '198.51.100.1';
  beforeEach(async () => {
    await fill(busy);
  });

  it.each(Object.keys(UNADMITTED) as (keyof typeof UNADMITTED)[])(
    'from it is refused with 503, in the error form of its API: %s',
    async (kind) => {
      const { headers, ...request } = UNADMITTED[kind];
      const caller = await half({ ...request, headers: { ...headers, ...from(busy) } });
      const response = await caller.response();
      expect(response.status).toBe(503);
      expect(response.headers).toMatch(/^retry-after: 1$/m);
      expect(JSON.parse(response.body)).toMatchObject(REFUSALS[kind]);
    },
  );

  it('from it with credentials in its headers is served', async () => {
    const created = await service.api.post('/link-session', {
      token,
      headers: from(busy),
      json: { customer_user: { id: 'user-1' }, settings: { products: ['transactions'] } },
    });
    expect(created.status).toBe(201);
    const found = await fetch(`${service.api.baseUrl}/institutions/get_by_id`, {
      method: 'POST',
      headers: { ...JSON_BODY, ...keys, ...from(busy) },
      body: JSON.stringify({ institution_id: 'sandbox-instant-bank', country_codes: ['US'] }),
    });
    expect(found.status).toBe(200);
  });

  it('from another address is served', async () => {
    expect(await plaidCall('198.51.100.2')).toBe(400);
  });

  it('from it is served again once they finish', async () => {
    for (const { socket } of callers.splice(0)) socket.destroy();
    await eventually(async () => expect(await plaidCall(busy)).toBe(400));
  });
});

describe('Addresses of one IPv6 block', () => {
  it('share the memory of their bodies', async () => {
    await fill('2001:db8::1');
    expect(await plaidCall('2001:db8::2')).toBe(503);
    expect(await plaidCall('2001:db8:0:1::1')).toBe(400);
  });
});

describe('While bodies of many addresses fill the memory for all of them, a call', () => {
  beforeEach(async () => {
    for (const host of [1, 2, 3]) await fill(`203.0.113.${host}`);
  });

  it('of any other address with credentials in its body is refused', async () => {
    expect(await plaidCall('203.0.113.4')).toBe(503);
  });

  it('with a token in its headers is served, with its body', async () => {
    const { status } = await service.api.post('/link-session', {
      token,
      json: { customer_user: { id: 'user-1' }, settings: { products: ['transactions'] } },
    });
    expect(status).toBe(201);
  });
});

describe('While bodies of one app fill its share of the memory, a call with a body', () => {
  beforeEach(() =>
    fillWith({
      path: '/connect/api/session/step',
      headers: { ...JSON_BODY, ...bearer(connectToken) },
    }),
  );
  const session = { customer_user: { id: 'user-1' }, settings: { products: ['transactions'] } };

  it('of the native API is refused with 503 for this app, and served for another one', async () => {
    const refused = await service.api.post('/link-session', { token, json: session });
    expect(refused).toMatchObject({ status: 503, body: { error_code: 'api_error.unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    const rival = await service.token('rival', 'live');
    const served = await service.api.post('/link-session', { token: rival, json: session });
    expect(served.status).toBe(201);
  });

  it('of the compatibility layer is refused with 503, wherever its key pair is', async () => {
    const given = { client_id: keys['plaid-client-id'], secret: keys['plaid-secret'] };
    for (const { headers, json } of [
      { headers: keys, json: {} },
      { headers: {}, json: given },
    ]) {
      const response = await fetch(`${service.api.baseUrl}/item/get`, {
        method: 'POST',
        headers: { ...JSON_BODY, ...headers },
        body: JSON.stringify({ ...json, access_token: 'x' }),
      });
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error_code: 'PLANNED_MAINTENANCE' });
    }
  });
});

describe('A body that is being counted', () => {
  const address = '198.51.100.9';
  const large = { path: '/item/get', headers: { ...JSON_BODY, ...from(address) }, length: MIB };

  it('no longer counts once its caller has disconnected, however much of it had arrived', async () => {
    for (let time = 1; time <= 20; time += 1) {
      const caller = await half({ ...large, sent: 'a'.repeat((time * MIB) / 21) });
      caller.socket.destroy();
    }
    await eventually(async () => expect(await plaidCall(address)).toBe(400));
  });

  it('no longer counts for its address once its caller is known, while the call is still running', async () => {
    const call = (secret: string) =>
      fetch(`${service.api.baseUrl}/institutions/get_by_id`, {
        method: 'POST',
        headers: { ...JSON_BODY, ...from(address) },
        body: JSON.stringify({
          ...{ client_id: keys['plaid-client-id'], secret },
          ...{ institution_id: 'sandbox-instant-bank', country_codes: ['US'] },
          large: Array.from({ length: 14 }, () => 'a'.repeat(60_000)),
        }),
      });
    const holder = await service.database.pool.connect();
    await holder.query('BEGIN; LOCK TABLE institutions');
    const isWaiting = async (): Promise<void> => {
      await eventually(async () => {
        // Within the transaction of `holder`, this view would never change.
        const { rows } = await service.database.pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        expect(rows).not.toEqual([]);
      });
    };
    let atWork = call(keys['plaid-secret']);
    // Bodies of the tests before may still be counted for a moment: such a call is refused at once.
    await eventually(async () => {
      const ended = atWork.then(({ status }) => status);
      if ((await Promise.race([ended, isWaiting()])) === undefined) return;
      atWork = call(keys['plaid-secret']);
      expect(await ended).toBe('a call that waits');
    });
    expect((await call('wrong')).status).toBe(400);
    await holder.query('COMMIT');
    holder.release();
    expect((await atWork).status).toBe(200);
  });
});
