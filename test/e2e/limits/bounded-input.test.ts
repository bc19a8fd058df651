import { randomUUID } from 'node:crypto';
import {
  errorOf,
  type ApiResponse,
  type ApiRequest,
  type ErrorBody,
} from '../../support/services/api-client.js';
import { BANK } from '../../support/services/api-in-process.js';
import { storedRows } from '../../support/assertions/stored-rows.js';
import {
  compatible,
  linkId,
  post,
  service,
  session,
  startBoundedCalls,
  token,
  user,
} from './support/bounded-calls.js';

startBoundedCalls();

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const issuesOf = ({ body }: ApiResponse) => (body as ErrorBody).validation_errors ?? [];

describe('A form body', () => {
  it('of more than 8 KiB is refused before it is read', async () => {
    for (const path of ['/auth/token', '/oauth/token']) {
      const { status } = await service.api.post(path, { raw: 'a&'.repeat(130_000), headers: FORM });
      expect(status).toBe(path === '/auth/token' ? 413 : 400);
    }
  });

  it.each([
    ['of more than 100 fields', 'a&'.repeat(101), ['body']],
    ['that contains one name more than 10 times', 'a=1&'.repeat(11), ['body.a']],
  ])('%s is refused', async (_, raw, locations) => {
    expect(errorOf(await service.api.post('/auth/token', { raw, headers: FORM }))).toMatchObject({
      status: 422,
      locations,
    });
  });
});

describe('A query', () => {
  it('of more than 1,000 parameters is refused', async () => {
    expect(errorOf(await service.api.as(token).get(`/links?${'a&'.repeat(1_001)}`))).toMatchObject({
      status: 422,
      locations: ['query'],
    });
  });

  it('may repeat one name up to 1,000 times', async () => {
    const list = (count: number) =>
      service.api.as(token).get(`/links/${linkId}/accounts?account_ids=${'a,'.repeat(count)}`);
    expect((await list(1_000)).status).toBe(200);
    expect(errorOf(await list(1_001))).toMatchObject({
      status: 422,
      locations: ['query.account_ids'],
    });
  });
});

describe('A JSON body', () => {
  it('with many mistakes returns the first 50 and the number of further ones', async () => {
    const answer = await post('/links/{link}/products', {
      products: Array.from({ length: 1_000 }, () => 0),
    });
    const issues = issuesOf(answer);
    expect(answer.status).toBe(422);
    expect(issues).toHaveLength(51);
    expect(issues[49]?.location).toEqual(['body', 'products', 49]);
    expect(issues[50]).toEqual({ location: ['body'], message: 'and 950 more', type: 'more' });
    expect(answer.text.length).toBeLessThan(20_000);
  });

  it.each<[string, string, ApiRequest | object, string]>([
    [
      'an array of 480,000 wrong elements',
      '/links/import',
      { ...user, institution_id: BANK, accounts: Array.from({ length: 480_000 }, () => 1) },
      'body',
    ],
    [
      'an array of more elements than its field accepts',
      '/links/{link}/products',
      { products: Array.from({ length: 1_001 }, () => 0) },
      'body.products',
    ],
    [
      'more than 200 accounts to import',
      '/links/import',
      {
        ...user,
        institution_id: BANK,
        accounts: Array.from({ length: 11_500 }, (_, index) => ({
          account_id: `a${index}`,
          name: 'A',
          type: 'savings',
          balances: { currency: 'USD' },
        })),
      },
      'body.accounts',
    ],
    [
      'more than 5,000 rows to import',
      '/links/{link}/import/transactions',
      {
        transactions: Array.from({ length: 5_001 }, () => ({
          account_id: 'a',
          amount: 1,
          date: '2026-02-01',
        })),
      },
      'body.transactions',
    ],
    [
      'more than 1,000 members',
      '/link-session',
      {
        ...user,
        connect_features: Object.fromEntries(
          Array.from({ length: 1_001 }, (_, index) => [`f${index}`, true]),
        ),
      },
      'body',
    ],
    [
      'a member of a long name',
      '/link-session',
      { ...user, connect_features: { ['f'.repeat(257)]: true } },
      'body.connect_features',
    ],
    [
      'a text of more than 70,000 characters',
      '/link-session',
      { ...user, unknown_field: 'é'.repeat(70_001) },
      'body.unknown_field',
    ],
    [
      'more than 32 levels',
      '/link-session',
      JSON.parse(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`) as object,
      'body',
    ],
    [
      'a theme of more than 32 KB',
      '/link-session',
      { ...user, settings: { theme: { texts: { a: 'é'.repeat(16_400) } } } },
      'body.settings.theme',
    ],
  ])('with %s is refused at its location, and stores nothing', async (_, path, json, location) => {
    const before = await storedRows(service.database.pool);
    expect(errorOf(await post(path, json))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: [location],
    });
    expect(await storedRows(service.database.pool)).toEqual(before);
  });

  it('of a Connect call has the same limits', async () => {
    const deep = await service.api.as(session.connectToken).post('/connect/api/session/step', {
      raw: '['.repeat(100_000),
      headers: { 'content-type': 'application/json' },
    });
    expect(errorOf(deep)).toEqual({
      status: 422,
      code: 'connect_error.invalid_input',
      locations: ['body'],
    });
  });
});

describe('A body of the compatibility layer', () => {
  it.each([
    ['of many levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'INVALID_BODY'],
    ['of many values', `{"a":[${'1,'.repeat(30_000)}1]}`, 'INVALID_BODY'],
    [
      'with a long array',
      `{"access_token":"x","options":{"account_ids":[${'"a",'.repeat(1_000)}"a"]}}`,
      'INVALID_FIELD',
    ],
  ])('%s is refused with an error of the layer', async (_, raw, code) => {
    const { status, data } = await compatible('/accounts/get', raw);
    expect({ status, error_type: data.error_type, error_code: data.error_code }).toEqual({
      status: 400,
      error_type: 'INVALID_REQUEST',
      error_code: code,
    });
  });
});

describe('The theme of a session', () => {
  it('is returned to the window that opens the session, and in no other response', async () => {
    const theme = { texts: { a: 'x'.repeat(32_000) } };
    const created = await post('/link-session', { ...user, settings: { theme } });
    const { link_session_token: linkSessionToken } = created.body as { link_session_token: string };
    const opened = await service.api.post('/connect/api/session/open', {
      json: {
        link_session_token: linkSessionToken,
        request_id: randomUUID(),
        origin: 'https://app.example',
        platform: 'web',
      },
    });
    const {
      theme: sent,
      connect_token: connectToken,
      seq,
    } = opened.body as { theme: unknown; connect_token: string; seq: number };
    expect(sent).toEqual(theme);
    const connect = service.api.as(connectToken);
    const step = {
      seq,
      request_id: randomUUID(),
      input: { kind: 'select_institution', institution_id: BANK },
    };
    const later = [
      await connect.get('/connect/api/session'),
      await connect.post('/connect/api/session/extend', { json: { request_id: randomUUID() } }),
      await connect.post('/connect/api/session/step', { json: step }),
    ];
    expect(later.map(({ status, body }) => [status, (body as { theme: unknown }).theme])).toEqual([
      [200, null],
      [200, null],
      [200, null],
    ]);
  });
});
