import { randomUUID } from 'node:crypto';
import { errorOf } from '../../support/services/api-client.js';
import { BANK } from '../../support/services/api-in-process.js';
import {
  compatible,
  post,
  service,
  session,
  startBoundedCalls,
  user,
} from './support/bounded-calls.js';

startBoundedCalls();

// Neither U+0000 nor a lone surrogate can be stored.
describe.each([
  ['U+0000', '\u0000'],
  ['a lone surrogate', '\ud800'],
])('A text with %s', (_name, bad) => {
  const text = `a${bad}b`;
  const sandboxAccount = { account_type: 'depository.checking', name: 'A', account_number: '1' };
  const account = { account_id: 'a', name: 'A', type: 'savings', balances: { currency: 'USD' } };

  it.each<[string, string, object, string]>([
    ['a tag', '/link-session', { ...user, tags: ['ok', text] }, 'body.tags.1'],
    [
      'a provider',
      '/link-session',
      { ...user, settings: { providers: [text] } },
      'body.settings.providers.0',
    ],
    [
      'the name of a product',
      '/link-session',
      { ...user, settings: { products: [text] } },
      'body.settings.products.0',
    ],
    [
      'the name of a member',
      '/link-session',
      { ...user, connect_features: { [text]: true } },
      'body.connect_features',
    ],
    [
      'an unknown field',
      '/link-session',
      { ...user, unknown_field: { a: [text] } },
      'body.unknown_field.a.0',
    ],
    [
      'the data of a sandbox user',
      '/link-session',
      { ...user, custom_sandbox_data: { accounts: [sandboxAccount], owners: [{ names: [text] }] } },
      'body.custom_sandbox_data.owners.0.names.0',
    ],
    [
      'a token',
      '/link-session/exchange-token',
      { exchangeable_token: text },
      'body.exchangeable_token',
    ],
    [
      'an imported account',
      '/links/import',
      { ...user, institution_id: BANK, accounts: [{ ...account, nickname: text }] },
      'body.accounts.0.nickname',
    ],
    [
      'an imported row',
      '/links/import',
      {
        ...user,
        institution_id: BANK,
        accounts: [account],
        transactions: [{ account_id: 'a', amount: 1, date: '2026-02-01', type: text }],
      },
      'body.transactions.0.type',
    ],
    [
      'an institution',
      '/links/import',
      { ...user, institution_id: text, accounts: [account] },
      'body.institution_id',
    ],
    [
      'a filter of a replay',
      '/webhooks/events/replay',
      { created_after: '2026-02-01', link_id: text },
      'body.link_id',
    ],
    [
      'the key of a test event',
      '/webhooks/test/link/{link}',
      { webhook_event: 'link.state_changed', webhook_idempotency_key: text },
      'body.webhook_idempotency_key',
    ],
    ['the name of a world', '/sandbox/worlds', { name: text }, 'body.name'],
  ])('is refused at its location in %s', async (_, path, json, location) => {
    expect(errorOf(await post(path, json))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: [location],
    });
  });

  it('is refused in a theme like any other theme error', async () => {
    expect(
      errorOf(
        await post('/link-session', { ...user, settings: { theme: { texts: { a: text } } } }),
      ),
    ).toMatchObject({ status: 422, locations: ['body.settings.theme'] });
  });

  it('is refused at its location in an answer to a step', async () => {
    const { seq, connectToken } = session;
    const answer = await service.api.as(connectToken).post('/connect/api/session/step', {
      json: {
        seq,
        request_id: randomUUID(),
        input: { kind: 'select_institution', institution_id: text },
      },
    });
    expect(errorOf(answer)).toEqual({
      status: 422,
      code: 'connect_error.invalid_input',
      locations: ['body.input.institution_id'],
    });
  });

  it.each<[string, string, object, string, string]>([
    [
      'a product',
      '/link/token/create',
      linkToken({ products: [text] }),
      'INVALID_FIELD',
      'products.0',
    ],
    [
      'a user',
      '/link/token/create',
      linkToken({ user: { client_user_id: text } }),
      'INVALID_FIELD',
      'user.client_user_id',
    ],
    [
      'an account filter',
      '/link/token/create',
      linkToken({ account_filters: { depository: { account_subtypes: ['all', text] } } }),
      'INVALID_FIELD',
      'account_filters.depository.account_subtypes.1',
    ],
    [
      'an account id',
      '/accounts/get',
      { access_token: 'x', options: { account_ids: [text] } },
      'INVALID_FIELD',
      'options.account_ids.0',
    ],
    [
      'an institution',
      '/institutions/get_by_id',
      { institution_id: text, country_codes: ['US'] },
      'INVALID_FIELD',
      'institution_id',
    ],
    [
      'a routing number',
      '/institutions/get',
      { count: 1, offset: 0, country_codes: ['US'], options: { routing_numbers: [text] } },
      'INVALID_FIELD',
      'options.routing_numbers.0',
    ],
    [
      'the id of a key',
      '/webhook_verification_key/get',
      { key_id: text },
      'INVALID_FIELD',
      'key_id',
    ],
    ['an access token', '/item/get', { access_token: text }, 'INVALID_ACCESS_TOKEN', ''],
    [
      'a public token',
      '/item/public_token/exchange',
      { public_token: text },
      'INVALID_PUBLIC_TOKEN',
      '',
    ],
  ])(
    'is refused with an error of the compatibility layer in %s',
    async (_, path, json, code, field) => {
      const { status, data } = await compatible(path, JSON.stringify(json));
      expect({ status, error_code: data.error_code }).toEqual({ status: 400, error_code: code });
      expect(data.error_message).toContain(field);
    },
  );
});

function linkToken(over: object): object {
  return {
    client_name: 'App',
    language: 'en',
    country_codes: ['US'],
    user: { client_user_id: 'u' },
    products: ['transactions'],
    ...over,
  };
}
