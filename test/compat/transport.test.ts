import {
  clientId,
  clientSecret,
  startApiInProcess,
  type ApiInProcess,
} from '../support/services/api-in-process.js';
import {
  failureOf,
  plaidClient,
  plaidOf,
  refusalOf,
  type PlaidErrorBody,
} from '../support/actors/plaid-client.js';

const REQUEST_ID = /^[A-Za-z0-9]{15}$/;
const TOKEN = 'access-sandbox-5b4c1d2e-0000-4000-8000-000000000000';

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess();
});
afterAll(() => service?.close());

const keys = () => ({
  client_id: clientId('pocket-ledger', 'sandbox'),
  secret: clientSecret('pocket-ledger', 'sandbox'),
});
const headers = () => ({ 'plaid-client-id': keys().client_id, 'plaid-secret': keys().secret });

async function raw(
  path: string,
  {
    method = 'POST',
    body,
    headers: given = {},
  }: { method?: string; body?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(service.api.baseUrl + path, {
    method,
    headers: given,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const data =
    response.headers.get('content-type') === 'application/json; charset=utf-8'
      ? (JSON.parse(text) as PlaidErrorBody)
      : undefined;
  return {
    status: response.status,
    headers: response.headers,
    text,
    data,
    refusal: [response.status, data?.error_type, data?.error_code],
  };
}
const json = { 'content-type': 'application/json' };

describe('The body of a call', () => {
  const INVALID_BODY = [400, 'INVALID_REQUEST', 'INVALID_BODY'];
  it.each([
    ['is not JSON', '{"access_token":', json],
    ['is empty', '', json],
    ['is an array', '[]', json],
    ['is a string', '"x"', json],
    ['is null', 'null', json],
    [
      'has another media type',
      'client_id=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['is compressed', '{}', { ...json, 'content-encoding': 'gzip' }],
    ['is larger than 1 MB', JSON.stringify({ access_token: 'x'.repeat(1_048_577) }), json],
  ])('is refused when it %s', async (_, body, given) => {
    expect(
      (await raw('/item/remove', { body, headers: { ...headers(), ...given } })).refusal,
    ).toEqual(INVALID_BODY);
  });

  it('needs no content type', async () => {
    const answer = await fetch(`${service.api.baseUrl}/item/remove`, {
      method: 'POST',
      headers: headers(),
      body: new TextEncoder().encode(JSON.stringify({ access_token: TOKEN })),
    });
    expect(((await answer.json()) as PlaidErrorBody).error_code).toBe('INVALID_ACCESS_TOKEN');
  });

  it('is checked before the credentials', async () => {
    expect((await raw('/item/remove', { body: '{', headers: json })).refusal).toEqual(INVALID_BODY);
  });
});

describe('The credentials of a call', () => {
  const call = (body: object, given: Record<string, string> = {}) =>
    raw('/item/remove', { body: JSON.stringify(body), headers: { ...json, ...given } });

  it('may be in the body, or partly in a header', async () => {
    expect((await call({ ...keys(), access_token: TOKEN })).data?.error_code).toBe(
      'INVALID_ACCESS_TOKEN',
    );
    expect(
      (
        await call(
          { secret: keys().secret, access_token: TOKEN },
          { 'plaid-client-id': keys().client_id },
        )
      ).data?.error_code,
    ).toBe('INVALID_ACCESS_TOKEN');
  });

  it('are taken from the header when both are given', async () => {
    expect(
      (await call({ client_id: 'wrong', secret: 'wrong', access_token: TOKEN }, headers())).data
        ?.error_code,
    ).toBe('INVALID_ACCESS_TOKEN');
    expect((await call(keys(), { ...headers(), 'plaid-secret': 'wrong' })).refusal).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_API_KEYS',
    ]);
  });

  it('are all named when they are absent, before any other field', async () => {
    const { refusal, data } = await call({});
    expect(refusal).toEqual([400, 'INVALID_REQUEST', 'MISSING_FIELDS']);
    expect(data?.error_message).toBe(
      'the following required fields are missing: client_id, secret',
    );
  });

  it.each([
    ['empty', { client_id: '', secret: 'x' }],
    ['null', { client_id: 'x', secret: null }],
    ['not a string', { client_id: 7, secret: 'x' }],
  ])('are an invalid field when they are %s', async (_, body) => {
    expect((await call(body)).refusal).toEqual([400, 'INVALID_REQUEST', 'INVALID_FIELD']);
  });

  it.each([
    ['an unknown client', { client_id: 'no_one', secret: 'x' }],
    ['a wrong secret', { client_id: 'sandbox_pocket-ledger', secret: 'x' }],
    [
      'a secret of another pair',
      { client_id: 'sandbox_pocket-ledger', secret: 'secret-of-live-pocket-ledger' },
    ],
  ])('are refused for %s', async (_, body) => {
    expect((await call({ ...body, access_token: TOKEN })).refusal).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_API_KEYS',
    ]);
  });

  it('are not valid for the environment once the key pair is revoked', async () => {
    const { database } = service;
    const revoked = (disabledAt: Date | null) =>
      database.prisma.apiClient.update({
        where: { clientId: clientId('rival', 'sandbox') },
        data: { disabledAt },
      });
    await revoked(new Date());
    expect(await refusalOf(plaidOf(service, 'rival').itemRemove({ access_token: TOKEN }))).toEqual([
      400,
      'INVALID_INPUT',
      'UNAUTHORIZED_ENVIRONMENT',
    ]);
    await revoked(null);
  });
});

describe('The fields of a call', () => {
  it('are named together when they are missing or null', async () => {
    const { data } = await failureOf(
      plaidOf(service).itemRemove({ access_token: null as unknown as string }),
    );
    expect(data).toMatchObject({
      error_code: 'MISSING_FIELDS',
      error_message: 'the following required fields are missing: access_token',
    });
  });

  it('are refused when they have a wrong type or are out of range', async () => {
    expect(
      await refusalOf(plaidOf(service).itemRemove({ access_token: 7 as unknown as string })),
    ).toEqual([400, 'INVALID_REQUEST', 'INVALID_FIELD']);
    const { data } = await failureOf(
      plaidOf(service).itemRemove({ access_token: TOKEN, reason_note: 'x'.repeat(513) }),
    );
    expect(data).toMatchObject({
      error_code: 'INVALID_FIELD',
      error_message: expect.stringContaining('reason_note'),
    });
  });

  it('may be null when optional, and are ignored when unknown', async () => {
    const body = {
      access_token: TOKEN,
      reason_code: null,
      reason_note: null,
      unknown_field: { this: 1 },
    };
    expect(await refusalOf(plaidOf(service).itemRemove(body as never))).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_ACCESS_TOKEN',
    ]);
  });
});

describe('The addresses of the compatibility layer', () => {
  const NOT_FOUND = [404, 'INVALID_REQUEST', 'NOT_FOUND'];

  it('work with doubled slashes', async () => {
    expect(
      await refusalOf(
        plaidClient(`${service.api.baseUrl}/`, headers()).itemRemove({ access_token: TOKEN }),
      ),
    ).toEqual([400, 'INVALID_INPUT', 'INVALID_ACCESS_TOKEN']);
  });

  it.each([
    ['another method', 'GET', '/item/remove', {}],
    ['an unsupported call', 'POST', '/investments/auth/get', {}],
    ['a removed call', 'POST', '/categories/get', {}],
    ['/item/import', 'POST', '/item/import', {}],
    ['/item/public_token/create', 'POST', '/item/public_token/create', {}],
    ['a list whose path is a native institution', 'GET', '/institutions/get', {}],
    ['a search whose path is a native institution', 'GET', '/institutions/search', {}],
    ['a lookup whose path is a native institution', 'GET', '/institutions/get_by_id', {}],
    ['an unknown path below /sandbox/item', 'POST', '/sandbox/item/nothing', {}],
    [
      'any path with the header plaid-client-id',
      'POST',
      '/nothing/at/all',
      { 'plaid-client-id': 'x' },
    ],
    [
      'any path with the header plaid-version',
      'GET',
      '/nothing/at/all',
      { 'plaid-version': '2020-09-14' },
    ],
  ])(
    'return NOT_FOUND in the shape of the layer when they do not exist: %s',
    async (_, method, path, given) => {
      const { refusal, data } = await raw(path, { method, headers: given });
      expect(refusal).toEqual(NOT_FOUND);
      expect(data?.request_id).toMatch(REQUEST_ID);
    },
  );

  it.each([
    ['an unknown path', 'POST', '/nothing/at/all', 404],
    ['another method', 'GET', '/investments/auth/get', 404],
    ['a native path', 'GET', '/links', 401],
    ['a native path below /sandbox', 'POST', '/sandbox/link', 401],
  ])('do not change the errors of the native API: %s', async (_, method, path, status) => {
    const answer = await service.api.send(method, path, method === 'GET' ? {} : { json: {} });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error_code: expect.stringMatching(/^api_error\./) });
  });
});

describe('Every response of the compatibility layer', () => {
  it('has its own request_id, which is also logged, and no native header', async () => {
    const first = await raw('/item/remove', {
      body: JSON.stringify({ ...keys(), access_token: TOKEN }),
      headers: json,
    });
    const second = await raw('/item/remove', {
      body: JSON.stringify({ ...keys(), access_token: TOKEN }),
      headers: json,
    });
    expect(first.data?.request_id).toMatch(REQUEST_ID);
    expect(first.data?.request_id).not.toBe(second.data?.request_id);
    expect(service.log()).toContain(`"request_id":"${first.data?.request_id}"`);
    expect([...first.headers.keys()].filter((name) => name.startsWith('service-'))).toEqual([]);
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('has exactly the fields of an error when it is one', async () => {
    const { data } = await failureOf(plaidOf(service).itemRemove({ access_token: TOKEN }));
    expect(data).toEqual({
      error_type: 'INVALID_INPUT',
      error_code: 'INVALID_ACCESS_TOKEN',
      error_message: expect.any(String),
      display_message: null,
      suggested_action: null,
      documentation_url: expect.stringMatching(/\/compatibility\/plaid#INVALID_ACCESS_TOKEN$/),
      request_id: expect.stringMatching(REQUEST_ID),
    });
  });

  it('has the same shape and no details when the service fails', async () => {
    const { pool } = service.database;
    await pool.query('ALTER TABLE item_access_tokens RENAME TO gone');
    const { status, data } = await failureOf(plaidOf(service).itemRemove({ access_token: TOKEN }));
    await pool.query('ALTER TABLE gone RENAME TO item_access_tokens');
    expect({ status, error_type: data.error_type, error_code: data.error_code }).toEqual({
      status: 500,
      error_type: 'API_ERROR',
      error_code: 'INTERNAL_SERVER_ERROR',
    });
    expect(JSON.stringify(data)).not.toContain('item_access_tokens');
  });

  it('is logged without secrets', () => {
    expect(service.log()).not.toContain(keys().secret);
    expect(service.log()).not.toContain(TOKEN);
  });
});
