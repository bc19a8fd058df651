import type pg from 'pg';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { openSandboxBank, type TestSandboxBank } from './support/sandbox-bank.js';
import { bankApi, type BankAnswer } from './bank-api.js';
import { connectTo } from '../../support/services/postgres.mjs';

const CONNECTIONS = '/v1/institutions/sandbox-instant-bank/connections';
const JSON_HEADERS = { 'content-type': 'application/json', 'idempotency-key': 'key-1' };
const VALID = { customer_reference: 'user-1', world: 'default' };

describe('The API of the sandbox bank', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let bank: TestSandboxBank;
  let api: ReturnType<typeof bankApi>;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await openSandboxBank({ databaseUrl: database.url });
    api = bankApi(bank);
    client = await connectTo(database.url);
  });
  afterAll(async () => {
    await client.end();
    await bank.stop();
    await database.drop();
  });

  const post = (
    body: string,
    headers: Record<string, string> = JSON_HEADERS,
    path = CONNECTIONS,
  ): Promise<BankAnswer> => api.call('POST', path, { headers, body });
  const refused = (status: number, code: string) => ({
    status,
    body: { error: { code, message: expect.any(String) } },
  });

  it.each<[string, string, Record<string, string>, number, string]>([
    ['no JSON', '{', JSON_HEADERS, 400, 'invalid_request'],
    ['a list', '[]', JSON_HEADERS, 400, 'invalid_request'],
    ['null', 'null', JSON_HEADERS, 400, 'invalid_request'],
    ['no customer', '{"world":"default"}', JSON_HEADERS, 400, 'invalid_request'],
    [
      'an empty customer',
      '{"customer_reference":"","world":"default"}',
      JSON_HEADERS,
      400,
      'invalid_request',
    ],
    [
      'a NUL',
      '{"customer_reference":"a\\u0000","world":"default"}',
      JSON_HEADERS,
      400,
      'invalid_request',
    ],
    [
      'half a character',
      '{"customer_reference":"\\ud800","world":"default"}',
      JSON_HEADERS,
      400,
      'invalid_request',
    ],
    [
      'a numeric world',
      '{"customer_reference":"a","world":1}',
      JSON_HEADERS,
      400,
      'invalid_request',
    ],
    [
      'an unknown world',
      '{"customer_reference":"a","world":"mars"}',
      JSON_HEADERS,
      404,
      'unknown_world',
    ],
    [
      'no key',
      JSON.stringify(VALID),
      { 'content-type': 'application/json' },
      400,
      'invalid_request',
    ],
    [
      'a form',
      'a=b',
      { 'idempotency-key': 'k', 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    [
      '20 kB',
      JSON.stringify({ ...VALID, more: 'x'.repeat(20_000) }),
      JSON_HEADERS,
      413,
      'request_too_large',
    ],
  ])('refuses a connection with %s, and stores nothing', async (_, body, headers, status, code) => {
    expect(await post(body, headers)).toEqual(refused(status, code));
    expect(
      (
        await client.query('select 1 from sandbox_bank.connection where idempotency_key = $1', [
          'key-1',
        ])
      ).rowCount,
    ).toBe(0);
  });

  it.each([
    ['GET', '/nothing', 404, 'not_found'],
    ['GET', '/v1/connections/%00/accounts', 404, 'not_found'],
    ['GET', '/v1/connections/%E0%A4%A/accounts', 404, 'not_found'],
    ['PUT', '/health/live', 405, 'method_not_allowed'],
    ['POST', '/v1/institutions/no-bank/connections', 404, 'unknown_institution'],
    ['GET', '/v1/connections/con_1/accounts', 401, 'invalid_token'],
  ])('responds to %s %s with %i', async (method, path, status, code) => {
    expect(await api.call(method, path)).toEqual(refused(status, code));
  });

  it.each(['with=names', 'with=', 'with=numbers,numbers', 'with=numbers&with=holders'])(
    'refuses to list accounts %s',
    async (query) => {
      const connection = await api.connect();
      expect(await connection.get(`accounts?${query}`)).toEqual(refused(400, 'invalid_request'));
    },
  );

  it('returns account numbers and holders only on request', async () => {
    const connection = await api.connect();
    const { body } = await connection.get('accounts?with=holders,numbers');
    expect(body['accounts']).toMatchObject([
      { account_number: '100020001101', holder_names: [expect.any(String)] },
      { account_number: '100020002202' },
    ]);
    for (const account of await connection.accounts())
      expect(Object.keys(account)).not.toEqual(expect.arrayContaining(['account_number']));
  });

  it.each([
    'from=2026-02-30',
    'from=yesterday',
    'from=2026-03-02&to=2026-03-01',
    'page_size=0',
    'page_size=501',
    'page_size=x',
    'page_token=x',
    `page_token=${Buffer.from('0.999999.999999').toString('base64url')}`,
    'from=2026-01-01&from=2026-01-02',
  ])('refuses to list transactions with %s', async (query) => {
    const connection = await api.connect();
    expect(await connection.get(`transactions?${query}`)).toEqual(refused(400, 'invalid_request'));
  });

  it('creates one connection per key, also for many requests at once', async () => {
    const connections = await Promise.all(
      Array.from({ length: 8 }, () => api.connect({ key: 'same-key' })),
    );
    expect(new Set(connections.map((connection) => connection.id)).size).toBe(1);
    for (const connection of connections) expect(await connection.accounts()).toHaveLength(2);
  });

  it('refuses a key that was used for another customer', async () => {
    await api.connect({ key: 'taken', customer: 'anna' });
    const answer = await post(JSON.stringify({ ...VALID, customer_reference: 'bert' }), {
      ...JSON_HEADERS,
      'idempotency-key': 'taken',
    });
    expect(answer).toEqual(refused(409, 'idempotency_conflict'));
  });

  it('opens a connection only with a token of its own', async () => {
    const [mine, other] = await Promise.all([api.connect(), api.connect()]);
    const answer = await api.call('GET', `/v1/connections/${mine.id}/accounts`, {
      headers: { authorization: `Bearer ${other.token}` },
    });
    expect(answer).toEqual(refused(401, 'invalid_token'));
  });

  it('revokes as often as requested, and returns nothing afterwards', async () => {
    const connection = await api.connect();
    expect(await connection.revoke()).toEqual({ status: 204, body: {} });
    expect(await connection.revoke()).toEqual({ status: 204, body: {} });
    expect(await connection.get('accounts')).toEqual(refused(403, 'consent_revoked'));
    expect(await connection.get('transactions')).toEqual(refused(403, 'consent_revoked'));
  });

  it('keeps access tokens out of its database and its log, and logs one line per request', async () => {
    const connection = await api.connect({ customer: 'customer-canary', key: 'key-canary' });
    await connection.accounts();
    const stored = await client.query<{ all: string }>(
      `select string_agg(t::text, ' ') || (select string_agg(c::text, ' ') from sandbox_bank.connection c) as all
         from sandbox_bank.access_token t`,
    );
    expect(stored.rows[0]?.all).toContain('key-canary');
    expect(stored.rows[0]?.all).not.toContain(connection.token);
    const lines = bank
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'sandbox_bank.request',
        method: 'GET',
        path: '/v1/connections/{connectionId}/accounts',
        status: 200,
      }),
    );
    for (const secret of [connection.token, 'customer-canary', 'key-canary'])
      expect(bank.output()).not.toContain(secret);
  });
});
