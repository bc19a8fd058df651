import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createSandboxProvider } from '../../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { respell, RESPELLINGS, sendExactly } from '../../support/actors/other-spellings.js';
import { eventually } from '../../support/assertions/eventually.js';
import { decideAtBank } from '../../support/actors/oauth-bank-visitor.js';
import { openSandboxBank, connectionTo, type TestSandboxBank } from './support/sandbox-bank.js';
import { bankApi } from './bank-api.js';
import { bankCustomer, refusal } from './bank-customer.js';
import { connectTo } from '../../support/services/postgres.mjs';

const CONTROL_CALLS = [
  ['POST', '/v1/institutions/sandbox-instant-bank/connections'],
  ['POST', '/v1/institutions/sandbox-credentials-bank/logins'],
  ['POST', '/v1/institutions/sandbox-oauth-bank/sign-ins'],
  ['POST', '/v1/institutions/sandbox-instant-bank/faults'],
  ['GET', '/v1/institutions/sandbox-instant-bank/faults?world=default'],
  ['DELETE', '/v1/faults/flt_1'],
  ['DELETE', '/v1/worlds/default'],
  ['GET', '/v1/connections/con_1/accounts'],
  ['POST', '/v1/connections/con_1/script'],
] as const;
const REGISTRATION = {
  method: 'POST',
  body: JSON.stringify({ redirect_uris: ['http://127.0.0.1:9/back'] }),
};
/** More requests at once than a slow computer admits. */
const MANY = Array.from({ length: 12 }, (_, index) => index + 1);
const JSON_BODY = { 'content-type': 'application/json' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let bank: TestSandboxBank;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  bank = await openSandboxBank({ databaseUrl: database.url });
  client = await connectTo(database.url);
});
afterAll(async () => {
  await client.end();
  await bank.stop();
  await database.drop();
});

it.each([
  ...['/health/live', '/health/ready', '/oauth/jwks', '/.well-known/openid-configuration'],
  ...['/help/:institution'],
])('No other spelling of %s leads to a page or a call of the sandbox bank', async (path) => {
  for (const how of RESPELLINGS)
    for (const at of [0, 1]) {
      const spelled = respell(path, how, { segment: at, letter: 1 });
      const { status } = await sendExactly(bank.url, { path: spelled });
      expect({ spelled, status }).toEqual({ spelled, status: 404 });
    }
});

it('No other spelling of a call of the control API leads to it, even with the secret', async () => {
  const headers = { 'sandbox-bank-secret': bank.secret };
  const paths = [
    '/v1/./faults/flt_1',
    '/v1/x/../faults/flt_1',
    '/v1\\faults\\flt_1',
    '/V1/faults/flt_1',
  ];
  for (const path of paths) {
    const { status, body } = await sendExactly(bank.controlUrl, { method: 'POST', path, headers });
    expect({ path, status, body }).toEqual({
      path,
      status: 404,
      body: expect.stringContaining('at this address'),
    });
  }
});

describe('The control API of the sandbox bank', () => {
  const call = (base: string, [method, path]: readonly [string, string], headers = {}) =>
    fetch(`${base}${path}`, { method, headers });

  it.each(CONTROL_CALLS)('refuses an anonymous %s %s', async (...request) => {
    for (const headers of [{}, { 'sandbox-bank-secret': 'a guess' }]) {
      const response = await call(bank.controlUrl, request, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        error: { code: 'unauthorized', message: 'This request is not authorized.' },
      });
    }
  });

  it('refuses pages, OAuth and unknown addresses in the same way', async () => {
    for (const path of ['/health/ready', '/oauth/jwks', '/help/sandbox-oauth-bank', '/nothing']) {
      expect((await call(bank.controlUrl, ['GET', path])).status).toBe(401);
    }
  });

  it.each(CONTROL_CALLS)('has no %s %s at the public address', async (...request) => {
    for (const headers of [{}, { 'sandbox-bank-secret': bank.secret }]) {
      expect((await call(bank.url, request, headers)).status).toBe(404);
    }
  });

  it('causes an adapter with another secret to report a wrong secret, and never an expired permission', async () => {
    const own = createSandboxProvider(connectionTo(bank));
    const stranger = createSandboxProvider({ ...connectionTo(bank), secret: 'another'.repeat(8) });
    const customer = bankCustomer(own, 'sandbox-instant-bank');
    const access = customer.accessOf(await own.begin(customer.contextOf()));
    const misconfigured = {
      ...refusal('institution_down'),
      message: expect.stringContaining('SANDBOX_BANK_SECRET'),
    };
    await expect(stranger.fetchAccounts(access)).rejects.toMatchObject(misconfigured);
    await expect(stranger.revoke?.(access)).rejects.toMatchObject(misconfigured);
    const visitor = bankCustomer(stranger, 'sandbox-oauth-bank');
    await expect(visitor.startRedirect()).rejects.toMatchObject(misconfigured);
    expect((await own.fetchAccounts(access)).accounts).toHaveLength(2);
  });
});

describe('The OAuth server of the sandbox bank', () => {
  const register = (authorization?: string) =>
    fetch(`${bank.url}/oauth/register`, {
      ...REGISTRATION,
      headers: authorization === undefined ? JSON_BODY : { ...JSON_BODY, authorization },
    });

  it('registers no client without the initial access token', async () => {
    const before = await client.query(
      `select 1 from sandbox_bank.oauth_record where model = 'Client'`,
    );
    for (const authorization of [undefined, 'Bearer x', `Bearer ${bank.secret}x`]) {
      expect((await register(authorization)).status).toBe(401);
    }
    const after = await client.query(
      `select 1 from sandbox_bank.oauth_record where model = 'Client'`,
    );
    expect(after.rowCount).toBe(before.rowCount);
  });

  it('registers a client with the initial access token, for a week', async () => {
    const response = await register(`Bearer ${bank.secret}`);
    expect(response.status).toBe(201);
    expect(await response.json()).not.toHaveProperty('registration_access_token');
    const { rows } = await client.query(
      `select 1 from sandbox_bank.oauth_record where model = 'Client'
         and expires_at between now() + interval '6 days' and now() + interval '7 days'`,
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('The public address of the sandbox bank', () => {
  let limited: TestSandboxBank;
  beforeAll(async () => {
    const env = { RATE_LIMIT_SANDBOX_BANK: '1/s:3', TRUSTED_PROXIES: '127.0.0.0/8' };
    limited = await openSandboxBank({ databaseUrl: database.url, env });
  });
  afterAll(() => limited.stop());

  const visit = (path: string, from: string, init: RequestInit = {}) =>
    fetch(`${limited.url}${path}`, { ...init, headers: { 'x-forwarded-for': from } });

  it.each([
    ['pages', '/help/sandbox-oauth-bank', 'GET', '192.0.2.1'],
    ['sign-in attempts', '/sign-in/abc', 'POST', '192.0.2.2'],
    ['tokens', '/oauth/token', 'POST', '192.0.2.3'],
    ['addresses that it does not have', '/v1/worlds/default', 'DELETE', '192.0.2.4'],
  ])('limits requests for %s by address', async (_, path, method, from) => {
    for (let request = 0; request < 3; request += 1) {
      expect((await visit(path, from, { method })).status).not.toBe(429);
    }
    const more = await Promise.all(MANY.map(() => visit(path, from, { method })));
    const first = more.find(({ status }) => status === 429);
    expect(first?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await visit('/help/x', `${from}0`)).status).toBe(200);
  });

  it('counts a /64 of IPv6 as one address', async () => {
    const visits = MANY.flatMap((host) => [
      visit('/help/x', `2001:db8:0:7::${host}`),
      visit('/help/x', `2001:db8:0:7:${host}:2:3:4`),
    ]);
    expect((await Promise.all(visits)).map(({ status }) => status)).toContain(429);
    expect((await visit('/help/x', '2001:db8:0:8::1')).status).toBe(200);
  });

  it('exempts the worker and health checks', async () => {
    const worker = bankApi(limited);
    await Promise.all(MANY.map(() => worker.connect()));
    // An address of its own, because the start of the bank used another one.
    const visits = await Promise.all(MANY.map(() => visit('/help/x', '192.0.2.6')));
    expect(visits.map(({ status }) => status)).toContain(429);
    expect((await visit('/health/live', '192.0.2.6')).status).toBe(200);
  });

  it('ignores a forwarded address that comes from elsewhere', async () => {
    const untrusting = await openSandboxBank({
      databaseUrl: database.url,
      env: { RATE_LIMIT_SANDBOX_BANK: '1/s:3' },
    });
    const visits = MANY.map((number) =>
      fetch(`${untrusting.url}/help/x`, {
        headers: { 'x-forwarded-for': `192.0.2.${number}` },
      }),
    );
    expect((await Promise.all(visits)).map(({ status }) => status)).toContain(429);
    await untrusting.stop();
  });
});

describe('The retention of the sandbox bank', () => {
  /** A bank sweeps when it starts. */
  async function sweep(): Promise<void> {
    const sweeping = await openSandboxBank({ databaseUrl: database.url });
    await eventually(() => {
      if (!sweeping.output().includes('sandbox_bank.swept')) throw new Error('not yet');
    });
    await sweeping.stop();
  }

  const age = (table: string, column: string, days: number, where: string, value: string) =>
    client.query(
      `update sandbox_bank.${table} set ${column} = now() - $1 * interval '1 day' where ${where} = $2`,
      [days, value],
    );

  it('removes connections that were not used for SANDBOX_BANK_RETENTION, and no others', async () => {
    const api = bankApi(bank);
    const [unused, used, young] = await Promise.all([api.connect(), api.connect(), api.connect()]);
    for (const { id } of [unused, used])
      await age('connection', 'last_used_at', 91, 'connection_id', id);
    await age('connection', 'last_used_at', 89, 'connection_id', young.id);
    expect(await used.accounts()).toHaveLength(2);
    await sweep();
    expect((await unused.get('accounts')).status).toBe(401);
    for (const kept of [used, young]) expect(await kept.accounts()).toHaveLength(2);
  });

  it('removes connections that were revoked a week ago, with their tokens', async () => {
    const api = bankApi(bank);
    const [old, recent] = await Promise.all([api.connect(), api.connect()]);
    for (const { revoke } of [old, recent]) await revoke();
    await age('connection', 'revoked_at', 8, 'connection_id', old.id);
    await sweep();
    expect((await old.get('accounts')).status).toBe(401);
    expect((await recent.get('accounts')).status).toBe(403);
    const tokens = 'select 1 from sandbox_bank.access_token where connection_id = $1';
    expect((await client.query(tokens, [old.id])).rowCount).toBe(0);
  });

  it('removes unused worlds, with their faults', async () => {
    const api = bankApi(bank);
    const [unused, used] = [randomUUID(), randomUUID()];
    const fault = (world: string) =>
      api.call('POST', '/v1/institutions/sandbox-instant-bank/faults', {
        headers: JSON_BODY,
        body: JSON.stringify({
          fault_id: `fault-${world}`,
          world,
          world_seed: '1',
          operation: 'any',
          kind: 'slow',
          count: null,
          delay_seconds: 0,
          retry_after_seconds: null,
        }),
      });
    for (const world of [unused, used, unused]) expect((await fault(world)).status).toBe(201);
    for (const world of [unused, used]) await age('world', 'last_used_at', 91, 'world_id', world);
    expect((await fault(used)).status).toBe(201);
    await sweep();
    expect((await api.call('GET', `/v1/faults/fault-${unused}`)).status).toBe(404);
    expect((await api.call('GET', `/v1/faults/fault-${used}`)).status).toBe(200);
    const worlds = await client.query('select world_id from sandbox_bank.world');
    expect(worlds.rows.map(({ world_id: id }) => id)).toEqual(
      expect.arrayContaining(['default', used]),
    );
    expect(worlds.rows.map(({ world_id: id }) => id)).not.toContain(unused);
  });

  it('removes sign-ins and clients, but never the permission that resulted from them', async () => {
    const provider = createSandboxProvider(connectionTo(bank));
    const customer = bankCustomer(provider, 'sandbox-oauth-bank');
    const { context, start } = await customer.startRedirect();
    const callback = await decideAtBank(start.authorizeUrl);
    const access = customer.accessOf(await customer.complete(context, start.state, callback));
    await client.query(
      `update sandbox_bank.oauth_record set expires_at = expires_at - interval '8 days'`,
    );
    await client.query(`update sandbox_bank.login set expires_at = expires_at - interval '2 days'`);
    await sweep();
    for (const table of ['oauth_record', 'login']) {
      expect((await client.query(`select 1 from sandbox_bank.${table}`)).rowCount).toBe(0);
    }
    expect((await provider.fetchAccounts(access)).accounts).toHaveLength(3);
  });
});
