import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { SCOPES } from '../../../domain/api/scopes.js';
import { errorOf, type ApiRequest } from '../../support/services/api-client.js';
import {
  BANK,
  clientId,
  clientSecret,
  connectedLink,
  forceLink,
  grantProducts,
  openSession,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { storedRows } from '../../support/assertions/stored-rows.js';

let service: ApiInProcess;
let token: string;
let live: string;
/** Links in the states of link-lifecycle 6.5. */
const links: Record<string, string> = {};

beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
  live = await service.token('pocket-ledger', 'live');
  for (const state of [
    'connected',
    'connecting',
    'awaiting_token_exchange',
    'failed',
    'broken',
    'deleted',
    'without_transactions',
  ]) {
    links[state] = await connectedLink(
      service,
      token,
      state === 'without_transactions' ? { settings: { products: [] } } : {},
    );
  }
  for (const [state, linkId] of Object.entries(links))
    if (state !== 'without_transactions')
      await grantProducts(service, linkId, ['account_numbers', 'identity']);
  links['foreign'] = await connectedLink(service, await service.token('rival'));
  await forceLink(service, links['connecting'] ?? '', { state: 'connecting', connectedAt: null });
  await forceLink(service, links['awaiting_token_exchange'] ?? '', {
    state: 'awaiting_token_exchange',
    connectedAt: null,
  });
  await forceLink(service, links['failed'] ?? '', {
    state: 'error',
    errorCode: 'user_error',
    connectedAt: null,
  });
  await forceLink(service, links['broken'] ?? '', { state: 'error', errorCode: 'auth_expired' });
  await service.api.as(token).delete(`/links/${links['deleted']}`);
});

afterAll(async () => {
  await service?.close();
});

/** The request, and the status, error_code and locations of the response. */
type Row = [
  title: string,
  method: string,
  path: string,
  request: ApiRequest,
  status: number,
  code: string,
  locations?: string[],
];

const session = (json: unknown): ApiRequest => ({ json });
const user = { customer_user: { id: 'u' } };
const invalid = 'api_error.request.validation_failed';
const unauthorized = 'api_error.auth.unauthorized';
const badState = 'link_error.bad_state';

function refuses(rows: Row[]): void {
  it.each(rows)(
    'refuse %s',
    async (_title, method, path, request, status, code, locations = []) => {
      const resolved = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => links[name] ?? name);
      const before = await storedRows(service.database.pool);
      const response = await service.api.as(token).send(method, resolved, request);
      expect(errorOf(response)).toEqual({ status, code, locations });
      expect(response.body).toMatchObject({
        error_message: expect.any(String),
        documentation_url: null,
      });
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('service-request-id')).toMatch(/^[\w-]{1,64}$/);
      if (status === 401)
        expect(response.headers.get('www-authenticate')).toMatch(/^(Bearer|Basic)/);
      expect(await storedRows(service.database.pool)).toEqual(before);
    },
  );
}

describe('Token calls', () => {
  const form = {
    client_id: clientId('pocket-ledger', 'sandbox'),
    client_secret: clientSecret('pocket-ledger', 'sandbox'),
  };
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  refuses([
    ['missing credentials', 'POST', '/auth/token', { form: {} }, 401, unauthorized],
    [
      'a secret without an id',
      'POST',
      '/auth/token',
      { form: { client_secret: 'x' } },
      401,
      unauthorized,
    ],
    [
      'an unknown client',
      'POST',
      '/auth/token',
      { form: { ...form, client_id: 'sandbox_nobody' } },
      401,
      unauthorized,
    ],
    [
      'a wrong secret',
      'POST',
      '/auth/token',
      { form: { ...form, client_secret: 'wrong' } },
      401,
      unauthorized,
    ],
    [
      'the secret of the other environment',
      'POST',
      '/auth/token',
      { form: { ...form, client_secret: clientSecret('pocket-ledger', 'live') } },
      401,
      unauthorized,
    ],
    [
      'a wrong secret in Basic',
      'POST',
      '/auth/token',
      { form: {}, headers: basic(form.client_id, 'wrong') },
      401,
      unauthorized,
    ],
    [
      'an invalid Basic header',
      'POST',
      '/auth/token',
      { form: {}, headers: { authorization: 'Basic ???' } },
      401,
      unauthorized,
    ],
    [
      'Basic and form of different clients',
      'POST',
      '/auth/token',
      { form: { client_id: 'live_x' }, headers: basic(form.client_id, form.client_secret) },
      400,
      unauthorized,
    ],
    [
      'a refresh token grant',
      'POST',
      '/auth/token',
      { form: { ...form, grant_type: 'refresh_token' } },
      400,
      unauthorized,
    ],
    [
      'an unknown scope',
      'POST',
      '/auth/token',
      { form: { ...form, scope: 'links:read money:move' } },
      400,
      unauthorized,
    ],
    [
      'JSON',
      'POST',
      '/auth/token',
      { json: form },
      415,
      'api_error.request.unsupported_media_type',
    ],
    [
      'a field given twice',
      'POST',
      '/auth/token',
      {
        raw: 'client_id=a&client_id=b&client_secret=c',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      422,
      invalid,
      ['body.client_id'],
    ],
    [
      'U+0000 in a field',
      'POST',
      '/auth/token',
      { form: { client_id: '\u0000', client_secret: 'x' } },
      422,
      invalid,
      ['body.client_id'],
    ],
    [
      'a body beyond the limit',
      'POST',
      '/auth/token',
      { form: { client_id: 'x'.repeat(257 * 1024) } },
      413,
      'api_error.request.too_large',
    ],
    [
      'introspection without a token',
      'GET',
      '/auth/introspect',
      { token: null },
      401,
      unauthorized,
    ],
    [
      'introspection with an unknown token',
      'GET',
      '/auth/introspect',
      { token: 'unknown' },
      401,
      unauthorized,
    ],
    [
      'introspection with Basic',
      'GET',
      '/auth/introspect',
      { token: null, headers: basic(form.client_id, form.client_secret) },
      401,
      unauthorized,
    ],
  ]);

  it('ask for Basic when Basic was used', async () => {
    const response = await service.api.post('/auth/token', {
      form: {},
      headers: basic(form.client_id, 'wrong'),
    });
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(response.text).not.toContain('wrong');
  });

  it.each([
    ['a missing grant_type', { ...form }, 400, 'invalid_request'],
    ['another grant_type', { ...form, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [
      'an unknown scope',
      { ...form, grant_type: 'client_credentials', scope: 'x' },
      400,
      'invalid_scope',
    ],
    [
      'a wrong secret',
      { ...form, client_secret: 'x', grant_type: 'client_credentials' },
      401,
      'invalid_client',
    ],
  ])(
    'refuse %s at /oauth/token with the error of RFC 6749',
    async (_title, fields, status, error) => {
      const response = await service.api.post('/oauth/token', { form: fields });
      expect([response.status, response.body]).toEqual([
        status,
        { error, error_description: expect.any(String) },
      ]);
    },
  );

  it('refuse a malformed request at /oauth/token with the error of RFC 6749', async () => {
    const response = await service.api.post('/oauth/token', { json: {} });
    expect([response.status, response.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.any(String) },
    ]);
  });
});

describe('Routes', () => {
  refuses([
    ['an unknown address', 'GET', '/nope', {}, 404, 'api_error.request.not_found'],
    [
      'an unknown address below a known one',
      'GET',
      '/links/x/nope',
      {},
      404,
      'api_error.request.not_found',
    ],
    [
      'an unknown address that cannot be decoded',
      'GET',
      '/nope/%ZZ',
      {},
      404,
      'api_error.request.not_found',
    ],
    ['a wrong method', 'PUT', '/links', {}, 405, 'api_error.request.method_not_allowed'],
    [
      'an unknown version',
      'GET',
      '/links',
      { headers: { 'service-version': '2024-01-01' } },
      400,
      'api_error.request.unsupported_version',
    ],
    [
      'a malformed version',
      'GET',
      '/links',
      { headers: { 'service-version': 'latest' } },
      400,
      'api_error.request.unsupported_version',
    ],
    [
      'the monogram of an unknown institution',
      'GET',
      '/institutions/no_one/avatar.svg',
      { token: null },
      404,
      'institution_error.not_found',
    ],
    [
      'a monogram that cannot be decoded',
      'GET',
      '/institutions/%E0%A4%A/avatar.svg',
      { token: null },
      422,
      invalid,
      ['path.institution_id'],
    ],
  ]);

  it.each([
    ['/links/x', 'GET, HEAD, PATCH, DELETE'],
    ['/links/import', 'POST'],
    ['/webhooks/events/replay', 'POST'],
  ])('refuse a wrong method at %s with the methods of that address', async (path, allowed) => {
    expect((await service.api.send('PUT', path)).headers.get('allow')).toBe(allowed);
  });

  it('ignore an unknown Expect header', async () => {
    const sent = request(`${service.api.baseUrl}/links`, { headers: { expect: 'the-unexpected' } });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(401);
    expect(await json(response)).toMatchObject({ error_code: 'api_error.auth.unauthorized' });
  });
});

describe('POST /link-session and /link-session/exchange-token', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as unknown;
  refuses([
    ['a missing body', 'POST', '/link-session', {}, 422, invalid, ['body']],
    [
      'malformed JSON',
      'POST',
      '/link-session',
      { raw: '{"a":', headers: { 'content-type': 'application/json' } },
      422,
      invalid,
      ['body'],
    ],
    [
      'JSON that is not UTF-8',
      'POST',
      '/link-session',
      {
        raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        headers: { 'content-type': 'application/json' },
      },
      422,
      invalid,
      ['body'],
    ],
    ['an array', 'POST', '/link-session', session([]), 422, invalid, ['body']],
    [
      'a form',
      'POST',
      '/link-session',
      { form: { a: 'b' } },
      415,
      'api_error.request.unsupported_media_type',
    ],
    [
      'an unsupported charset',
      'POST',
      '/link-session',
      { raw: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      'api_error.request.unsupported_media_type',
    ],
    [
      'more than a megabyte',
      'POST',
      '/link-session',
      session({ ...user, x: 'x'.repeat(1024 * 1024) }),
      413,
      'api_error.request.too_large',
    ],
    ['an empty object', 'POST', '/link-session', session({}), 422, invalid, ['body.customer_user']],
    [
      'an empty user id',
      'POST',
      '/link-session',
      session({ customer_user: { id: '' } }),
      422,
      invalid,
      ['body.customer_user.id'],
    ],
    [
      'a user id of 151 characters',
      'POST',
      '/link-session',
      session({ customer_user: { id: 'x'.repeat(151) } }),
      422,
      invalid,
      ['body.customer_user.id'],
    ],
    [
      'a user id with U+0000',
      'POST',
      '/link-session',
      session({ customer_user: { id: 'a\u0000' } }),
      422,
      invalid,
      ['body.customer_user.id'],
    ],
    [
      'a lone surrogate',
      'POST',
      '/link-session',
      {
        raw: '{"customer_user":{"id":"\\ud800"}}',
        headers: { 'content-type': 'application/json' },
      },
      422,
      invalid,
      ['body.customer_user.id'],
    ],
    [
      'a short e-mail',
      'POST',
      '/link-session',
      session({ customer_user: { id: 'u', email: { address: 'a@b' } } }),
      422,
      invalid,
      ['body.customer_user.email.address'],
    ],
    [
      'an invalid timestamp',
      'POST',
      '/link-session',
      session({
        customer_user: {
          id: 'u',
          phone: { number: '+1614555', customer_verified_at: 'yesterday' },
        },
      }),
      422,
      invalid,
      ['body.customer_user.phone.customer_verified_at'],
    ],
    [
      'an unknown product',
      'POST',
      '/link-session',
      session({ ...user, settings: { products: ['identity', 'loans'] } }),
      422,
      invalid,
      ['body.settings.products.1'],
    ],
    [
      'an unknown product with settings',
      'POST',
      '/link-session',
      session({ ...user, settings: { products: { loans: {} } } }),
      422,
      invalid,
      ['body.settings.products.loans'],
    ],
    [
      'an unknown product in products_settings',
      'POST',
      '/link-session',
      session({ ...user, products_settings: { loans: {} } }),
      422,
      invalid,
      ['body.products_settings.loans'],
    ],
    [
      'an unknown product in the alias',
      'POST',
      '/link-session',
      session({ ...user, product_settings: { loans: {} } }),
      422,
      invalid,
      ['body.product_settings.loans'],
    ],
    [
      'a setting that is not a boolean',
      'POST',
      '/link-session',
      session({ ...user, products_settings: { identity: { required: 'yes' } } }),
      422,
      invalid,
      ['body.products_settings.identity.required'],
    ],
    [
      'a long reason',
      'POST',
      '/link-session',
      session({ ...user, products_settings: { identity: { reason: 'x'.repeat(121) } } }),
      422,
      invalid,
      ['body.products_settings.identity.reason'],
    ],
    [
      'an unknown country',
      'POST',
      '/link-session',
      session({ ...user, settings: { countries: ['US', 'CH'] } }),
      422,
      invalid,
      ['body.settings.countries.1'],
    ],
    [
      'an unknown provider',
      'POST',
      '/link-session',
      session({ ...user, settings: { providers: ['no_one'] } }),
      422,
      invalid,
      ['body.settings.providers.0'],
    ],
    [
      'a deeply nested theme',
      'POST',
      '/link-session',
      session({ ...user, settings: { theme: deep } }),
      422,
      invalid,
      ['body.settings.theme'],
    ],
    [
      'an invalid tag',
      'POST',
      '/link-session',
      session({ ...user, tags: ['ok', '-no'] }),
      422,
      invalid,
      ['body.tags.1'],
    ],
    [
      'an invalid tag under the alias',
      'POST',
      '/link-session',
      session({ ...user, link_tags: [''] }),
      422,
      invalid,
      ['body.link_tags.0'],
    ],
    [
      '51 tags',
      'POST',
      '/link-session',
      session({ ...user, tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }),
      422,
      invalid,
      ['body.tags'],
    ],
    [
      'a relative redirect_uri',
      'POST',
      '/link-session',
      session({ ...user, redirect_uri: '/return' }),
      422,
      invalid,
      ['body.redirect_uri'],
    ],
    [
      'a redirect_uri with query',
      'POST',
      '/link-session',
      session({ ...user, redirect_uri: 'https://app.example/return?a=b' }),
      422,
      invalid,
      ['body.redirect_uri'],
    ],
    [
      'a redirect_uri with fragment',
      'POST',
      '/link-session',
      session({ ...user, redirect_uri: 'https://app.example/return#' }),
      422,
      invalid,
      ['body.redirect_uri'],
    ],
    [
      'a public http redirect_uri',
      'POST',
      '/link-session',
      session({ ...user, redirect_uri: 'http://app.example/return' }),
      422,
      invalid,
      ['body.redirect_uri'],
    ],
    [
      'a javascript: redirect_uri',
      'POST',
      '/link-session',
      session({ ...user, redirect_uri: 'javascript:/alert' }),
      422,
      invalid,
      ['body.redirect_uri'],
    ],
    [
      'a webhook in a private network',
      'POST',
      '/link-session',
      session({ ...user, webhook: 'https://10.0.0.1/hook' }),
      422,
      invalid,
      ['body.webhook'],
    ],
    [
      'a webhook on loopback in decimal notation',
      'POST',
      '/link-session',
      session({ ...user, webhook: 'http://2130706433/hook' }),
      422,
      invalid,
      ['body.webhook'],
    ],
    [
      'a webhook with a password',
      'POST',
      '/link-session',
      session({ ...user, webhook: 'https://a:b@app.example/hook' }),
      422,
      invalid,
      ['body.webhook'],
    ],
    [
      'a webhook of 2,049 characters',
      'POST',
      '/link-session',
      session({ ...user, webhook: `https://app.example/${'x'.repeat(2029)}` }),
      422,
      invalid,
      ['body.webhook'],
    ],
    [
      'an unknown institution',
      'POST',
      '/link-session',
      session({ ...user, institution_id: 'no_one' }),
      422,
      invalid,
      ['body.institution_id'],
    ],
    [
      'an institution of the other environment',
      'POST',
      '/link-session',
      session({ ...user, institution_id: 'live-bank' }),
      422,
      invalid,
      ['body.institution_id'],
    ],
    [
      'an institution without a required product',
      'POST',
      '/link-session',
      session({
        ...user,
        institution_id: BANK,
        products_settings: { identity: { required: true } },
      }),
      422,
      invalid,
      ['body.institution_id'],
    ],
    [
      'an OAuth institution without redirect_uri',
      'POST',
      '/link-session',
      session({ ...user, institution_id: 'sandbox-oauth-bank' }),
      422,
      invalid,
      ['body.redirect_uri'],
    ],
    [
      'a feature that is not a boolean',
      'POST',
      '/link-session',
      session({ ...user, connect_features: { issue_reporter: 1 } }),
      422,
      invalid,
      ['body.connect_features.issue_reporter'],
    ],
    [
      'several mistakes at once',
      'POST',
      '/link-session',
      session({ customer_user: {}, tags: 1, webhook: 2 }),
      422,
      invalid,
      ['body.customer_user.id', 'body.webhook', 'body.tags'],
    ],
    [
      'a feature the app is not entitled to',
      'POST',
      '/link-session',
      session({ ...user, connect_features: { issue_reporter: true } }),
      403,
      'link_session_error.forbidden_config',
    ],
    [
      'an unknown world',
      'POST',
      '/link-session',
      session({ ...user, world_id: 'wld_nobody' }),
      404,
      'sandbox_error.not_found',
    ],
    [
      'relinking an unknown link',
      'POST',
      '/link-session',
      session({ ...user, existing_link_id: 'mk_nobody' }),
      404,
      'link_error.not_found',
    ],
    [
      'an exchange without a token',
      'POST',
      '/link-session/exchange-token',
      session({}),
      422,
      invalid,
      ['body.exchangeable_token'],
    ],
    [
      'an exchange of a number',
      'POST',
      '/link-session/exchange-token',
      session({ exchangeable_token: 1 }),
      422,
      invalid,
      ['body.exchangeable_token'],
    ],
    [
      'an exchange of an unknown token',
      'POST',
      '/link-session/exchange-token',
      session({ exchangeable_token: 'sandbox_xt_unknown' }),
      400,
      'link_session_error.invalid_token_exchange',
    ],
    [
      'a large exchange',
      'POST',
      '/link-session/exchange-token',
      session({ exchangeable_token: 'x'.repeat(257 * 1024) }),
      413,
      'api_error.request.too_large',
    ],
  ]);

  it.each([
    ['foreign', 401, 'link_error.unauthorized_access'],
    ['deleted', 410, 'link_error.deleted'],
    ['connecting', 422, badState],
    ['awaiting_token_exchange', 422, badState],
  ])('refuse to relink a link that is %s', async (state, status, code) => {
    const response = await service.api
      .as(token)
      .post('/link-session', { json: { ...user, existing_link_id: links[state] } });
    expect(errorOf(response)).toMatchObject({ status, code });
  });

  it('refuse to relink with a required product that the bank does not have', async () => {
    const response = await service.api.as(token).post('/link-session', {
      json: {
        ...user,
        existing_link_id: links['connected'],
        products_settings: { identity: { required: true } },
      },
    });
    expect(errorOf(response)).toEqual({
      status: 422,
      code: invalid,
      locations: ['body.existing_link_id'],
    });
  });

  it.each([
    [
      'sandbox data',
      {
        custom_sandbox_data: {
          accounts: [
            {
              account_type: 'depository.checking',
              name: 'Checking',
              account_number: '100020001101',
            },
          ],
        },
      },
      422,
      ['body.custom_sandbox_data'],
    ],
    ['a sandbox world', { world_id: 'default' }, 422, ['body.world_id']],
    ['an http webhook', { webhook: 'http://app.example/hook' }, 422, ['body.webhook']],
    [
      'an http redirect_uri',
      { redirect_uri: 'http://localhost/return' },
      422,
      ['body.redirect_uri'],
    ],
    [
      'any redirect_uri while the list is empty',
      { redirect_uri: 'https://app.example/return' },
      403,
      [],
    ],
  ])('refuse, with a Live key pair, %s', async (_title, fields, status, locations) => {
    const response = await service.api
      .as(live)
      .post('/link-session', { json: { ...user, ...fields } });
    expect(errorOf(response)).toEqual({
      status,
      code: status === 403 ? 'link_session_error.forbidden_config' : invalid,
      locations,
    });
  });
});

describe('Calls of a link', () => {
  const reads = [
    'accounts',
    'accounts/acc_nobody',
    'accounts/numbers',
    'identity',
    'transactions',
    'transactions/sync',
  ];
  refuses([
    ['a limit of 0', 'GET', '/links?limit=0', {}, 422, invalid, ['query.limit']],
    ['a limit above the maximum', 'GET', '/links?limit=5001', {}, 422, invalid, ['query.limit']],
    ['a limit that is not a number', 'GET', '/links?limit=1e3', {}, 422, invalid, ['query.limit']],
    ['an unreadable cursor', 'GET', '/links?cursor=bG5rOngK', {}, 422, invalid, ['query.cursor']],
    ['two cursors', 'GET', '/links?cursor=a&cursor=b', {}, 422, invalid, ['query.cursor']],
    ['U+0000', 'GET', '/links/a%00b', {}, 422, invalid, ['path.id']],
    ['an id that cannot be decoded', 'DELETE', '/links/%C3%28', {}, 422, invalid, ['path.id']],
    ['an id with a slash', 'GET', '/links/a%2Fb', {}, 404, 'link_error.not_found'],
    ['an unknown id', 'GET', '/links/no_one', {}, 404, 'link_error.not_found'],
    ['a foreign link', 'GET', '/links/{foreign}', {}, 401, 'link_error.unauthorized_access'],
    [
      'deleting a foreign link',
      'DELETE',
      '/links/{foreign}',
      {},
      401,
      'link_error.unauthorized_access',
    ],
    ['deleting a link twice', 'DELETE', '/links/{deleted}', {}, 410, 'link_error.deleted'],
    ['changing without a body', 'PATCH', '/links/{connected}', {}, 422, invalid, ['body']],
    [
      'changing with a form body',
      'PATCH',
      '/links/{connected}',
      { form: { webhook: 'x' } },
      415,
      'api_error.request.unsupported_media_type',
    ],
    ['changing with an array', 'PATCH', '/links/{connected}', { json: [] }, 422, invalid, ['body']],
    [
      'an invalid webhook address',
      'PATCH',
      '/links/{connected}',
      { json: { webhook: 'nowhere' } },
      422,
      invalid,
      ['body.webhook'],
    ],
    [
      'a webhook address in a private network',
      'PATCH',
      '/links/{connected}',
      { json: { webhook: 'https://192.168.0.1/' } },
      422,
      invalid,
      ['body.webhook'],
    ],
    [
      'an invalid webhook address before the ownership of the link',
      'PATCH',
      '/links/{foreign}',
      { json: { webhook: 'nowhere' } },
      422,
      invalid,
      ['body.webhook'],
    ],
    [
      'an empty webhook address',
      'PATCH',
      '/links/{connected}',
      { json: { webhook: '' } },
      422,
      invalid,
      ['body.webhook'],
    ],
    [
      'tags that are null',
      'PATCH',
      '/links/{connected}',
      { json: { tags: null } },
      422,
      invalid,
      ['body.tags'],
    ],
    [
      'an invalid tag',
      'PATCH',
      '/links/{connected}',
      { json: { link_tags: ['ok', '#'] } },
      422,
      invalid,
      ['body.link_tags.1'],
    ],
    [
      'changing an unknown link',
      'PATCH',
      '/links/no_one',
      { json: {} },
      404,
      'link_error.not_found',
    ],
    [
      'changing a foreign link',
      'PATCH',
      '/links/{foreign}',
      { json: {} },
      401,
      'link_error.unauthorized_access',
    ],
    [
      'changing a deleted link',
      'PATCH',
      '/links/{deleted}',
      { json: {} },
      410,
      'link_error.deleted',
    ],
    ['resetting an unknown link', 'POST', '/links/no_one/reset', {}, 404, 'link_error.not_found'],
    [
      'resetting a foreign link',
      'POST',
      '/links/{foreign}/reset',
      {},
      401,
      'link_error.unauthorized_access',
    ],
    ['resetting a deleted link', 'POST', '/links/{deleted}/reset', {}, 410, 'link_error.deleted'],
    ['resetting a link being connected', 'POST', '/links/{connecting}/reset', {}, 422, badState],
    [
      'resetting a link not exchanged',
      'POST',
      '/links/{awaiting_token_exchange}/reset',
      {},
      422,
      badState,
    ],
    [
      'resetting an id that cannot be decoded',
      'POST',
      '/links/%C3%28/reset',
      {},
      422,
      invalid,
      ['path.id'],
    ],
    ...reads.flatMap((read): Row[] => [
      [
        `${read} of an unknown link`,
        'GET',
        `/links/no_one/${read}`,
        {},
        404,
        'link_error.not_found',
      ],
      [
        `${read} of a foreign link`,
        'GET',
        `/links/{foreign}/${read}`,
        {},
        401,
        'link_error.unauthorized_access',
      ],
      [
        `${read} of a deleted link`,
        'GET',
        `/links/{deleted}/${read}`,
        {},
        410,
        'link_error.deleted',
      ],
      [
        `${read} of a link being connected`,
        'GET',
        `/links/{connecting}/${read}`,
        {},
        422,
        badState,
      ],
      [
        `${read} of a link not exchanged`,
        'GET',
        `/links/{awaiting_token_exchange}/${read}`,
        {},
        422,
        badState,
      ],
      [`${read} of a link never connected`, 'GET', `/links/{failed}/${read}`, {}, 422, badState],
    ]),
    [
      'a product not granted',
      'GET',
      '/links/{without_transactions}/transactions',
      {},
      403,
      'link_error.forbidden_action',
    ],
    [
      'sync of a product not granted',
      'GET',
      '/links/{without_transactions}/transactions/sync',
      {},
      403,
      'link_error.forbidden_action',
    ],
    [
      'numbers that are not granted',
      'GET',
      '/links/{without_transactions}/accounts/numbers',
      {},
      403,
      'link_error.forbidden_action',
    ],
    [
      'identity that is not granted',
      'GET',
      '/links/{without_transactions}/identity',
      {},
      403,
      'link_error.forbidden_action',
    ],
    ['a product never fetched in error', 'GET', '/links/{broken}/transactions', {}, 422, badState],
    [
      'numbers never fetched in error',
      'GET',
      '/links/{broken}/accounts/numbers',
      {},
      422,
      badState,
    ],
    ['identity never fetched in error', 'GET', '/links/{broken}/identity', {}, 422, badState],
    [
      'an unknown account',
      'GET',
      '/links/{connected}/accounts/acc_nobody',
      {},
      404,
      'link_error.not_found',
    ],
    [
      'an account that cannot be decoded',
      'GET',
      '/links/{connected}/accounts/%ff',
      {},
      422,
      invalid,
      ['path.account_id'],
    ],
    [
      'numbers of an account with U+0000',
      'GET',
      '/links/{connected}/accounts/numbers?account_ids=%00',
      {},
      422,
      invalid,
      ['query.account_ids'],
    ],
    [
      'identity with an unknown version',
      'GET',
      '/links/{connected}/identity',
      { headers: { 'service-version': '2020-01-01' } },
      400,
      'api_error.request.unsupported_version',
    ],
    ['page 0', 'GET', '/links/{connected}/transactions?page=0', {}, 422, invalid, ['query.page']],
    [
      'a page number that is too large',
      'GET',
      '/links/{connected}/transactions?page=99999999999999999999',
      {},
      422,
      invalid,
      ['query.page'],
    ],
    [
      'size 1001',
      'GET',
      '/links/{connected}/transactions?size=1001',
      {},
      422,
      invalid,
      ['query.size'],
    ],
    [
      'an invalid date',
      'GET',
      '/links/{connected}/transactions?start_date=2026-02-30',
      {},
      422,
      invalid,
      ['query.start_date'],
    ],
    [
      'a timestamp instead of a date',
      'GET',
      '/links/{connected}/transactions?end_date=2026-02-01T00:00:00',
      {},
      422,
      invalid,
      ['query.end_date'],
    ],
    [
      'an end date before the start date',
      'GET',
      '/links/{connected}/transactions?start_date=2026-02-02&end_date=2026-02-01',
      {},
      422,
      invalid,
      ['query.start_date'],
    ],
    [
      'an account id with U+0000',
      'GET',
      '/links/{connected}/accounts?account_ids=a%00',
      {},
      422,
      invalid,
      ['query.account_ids'],
    ],
    [
      'sync of size 0',
      'GET',
      '/links/{connected}/transactions/sync?size=0',
      {},
      422,
      invalid,
      ['query.size'],
    ],
    [
      'sync of size 501',
      'GET',
      '/links/{connected}/transactions/sync?size=501',
      {},
      422,
      invalid,
      ['query.size'],
    ],
    [
      'sync with a negative size',
      'GET',
      '/links/{connected}/transactions/sync?size=-1',
      {},
      422,
      invalid,
      ['query.size'],
    ],
    [
      'sync with a made-up cursor',
      'GET',
      '/links/{connected}/transactions/sync?cursor=AAAA',
      {},
      422,
      invalid,
      ['query.cursor'],
    ],
  ]);

  it('name the state or the error of a link that cannot be read', async () => {
    const code = async (state: string) =>
      (await service.api.as(token).get(`/links/${links[state]}/accounts`)).body;
    expect(await code('connecting')).toMatchObject({ link_error_code: 'connecting' });
    expect(await code('failed')).toMatchObject({ link_error_code: 'user_error' });
    expect(await service.api.as(token).get(`/links/${links['broken']}/accounts`)).toMatchObject({
      status: 200,
    });
  });

  it('refuse a cursor of another link', async () => {
    const cursor = async (link: string | undefined) =>
      (
        (await service.api.as(token).get(`/links/${link}/transactions/sync`)).body as {
          cursor: { next: string };
        }
      ).cursor.next;
    const other = await connectedLink(service, token);
    const response = await service.api
      .as(token)
      .get(`/links/${other}/transactions/sync?cursor=${await cursor(links['connected'])}`);
    expect(errorOf(response)).toEqual({ status: 422, code: invalid, locations: ['query.cursor'] });
  });

  it('refuse everything of the other environment', async () => {
    const response = await service.api.as(live).get(`/links/${links['connected']}`);
    expect(errorOf(response)).toMatchObject({
      status: 401,
      code: 'link_error.unauthorized_access',
    });
  });
});

describe('Calls of institutions and users', () => {
  refuses([
    [
      'an unknown institution',
      'GET',
      '/institutions/no_one',
      {},
      404,
      'institution_error.not_found',
    ],
    [
      'an institution of the other environment',
      'GET',
      '/institutions/live-bank',
      {},
      404,
      'institution_error.not_found',
    ],
    [
      'an institution that cannot be decoded',
      'GET',
      '/institutions/%ff',
      {},
      422,
      invalid,
      ['path.institution_id'],
    ],
    [
      'an institution limit of 0',
      'GET',
      '/institutions?limit=0',
      {},
      422,
      invalid,
      ['query.limit'],
    ],
    [
      'an institution limit above the maximum',
      'GET',
      '/institutions?limit=1001',
      {},
      422,
      invalid,
      ['query.limit'],
    ],
    [
      'an invalid boolean',
      'GET',
      '/institutions?featured=yes',
      {},
      422,
      invalid,
      ['query.featured'],
    ],
    [
      'a boolean given twice',
      'GET',
      '/institutions?featured=true&featured=true',
      {},
      422,
      invalid,
      ['query.featured'],
    ],
    ['a made-up cursor', 'GET', '/institutions?cursor=AAAA', {}, 422, invalid, ['query.cursor']],
    ['a name with U+0000', 'GET', '/institutions?name=%00', {}, 422, invalid, ['query.name']],
    ['a user that cannot be decoded', 'GET', '/users/%ff/accounts', {}, 422, invalid, ['path.id']],
    ['page 0 of a user', 'GET', '/users/u/transactions?page=0', {}, 422, invalid, ['query.page']],
    [
      'size 1001 of a user',
      'GET',
      '/users/u/transactions?size=1001',
      {},
      422,
      invalid,
      ['query.size'],
    ],
    [
      'an unknown transaction type',
      'GET',
      '/users/u/transactions?transaction_type=transfer',
      {},
      422,
      invalid,
      ['query.transaction_type'],
    ],
    [
      'an unknown category',
      'GET',
      '/users/u/transactions?category=income.wages,food',
      {},
      422,
      invalid,
      ['query.category'],
    ],
    [
      'an unknown subgroup of a category',
      'GET',
      '/users/u/transactions?category=income.groceries',
      {},
      422,
      invalid,
      ['query.category'],
    ],
    [
      'an invalid date for the transactions of a user',
      'GET',
      '/users/u/transactions?end_date=2026-13-01',
      {},
      422,
      invalid,
      ['query.end_date'],
    ],
    [
      'an end date before the start date for a user',
      'GET',
      '/users/u/transactions?start_date=2026-02-02&end_date=2026-02-01',
      {},
      422,
      invalid,
      ['query.start_date'],
    ],
    ['a user without a token', 'GET', '/users/u/links', { token: null }, 401, unauthorized],
    ['institutions without a token', 'GET', '/institutions', { token: null }, 401, unauthorized],
    [
      'a wrong method for a user',
      'POST',
      '/users/u/links',
      {},
      405,
      'api_error.request.method_not_allowed',
    ],
  ]);
});

describe('A token without the scope', () => {
  it.each([
    ['POST', '/link-session', 'link_session:write'],
    ['POST', '/link-session/exchange-token', 'link_session:write'],
    ['GET', '/links', 'links:read'],
    ['GET', '/links/x', 'links:read'],
    ['DELETE', '/links/x', 'links:write'],
    ['PATCH', '/links/x', 'links:write'],
    ['POST', '/links/x/reset', 'links:write'],
    ['GET', '/links/x/accounts', 'products:read'],
    ['GET', '/links/x/transactions', 'products:read'],
    ['GET', '/links/x/transactions/sync', 'products:read'],
    ['GET', '/links/x/accounts/y', 'products:read'],
    ['GET', '/links/x/accounts/numbers', 'products:read'],
    ['GET', '/links/x/identity', 'products:read'],
    ['POST', '/links/x/products', 'products:refresh'],
    ['GET', '/institutions', 'institutions:read'],
    ['GET', '/institutions/x', 'institutions:read'],
    ['POST', '/links/import', 'links:write'],
    ['POST', '/links/x/import/transactions', 'links:write'],
    ['POST', '/sandbox/link', 'sandbox:write'],
    ['POST', '/sandbox/links/x/transactions', 'sandbox:write'],
    ['POST', '/sandbox/links/x/expire-auth', 'sandbox:write'],
    ['POST', '/sandbox/institutions/x/faults', 'sandbox:write'],
    ['GET', '/sandbox/institutions/x/faults', 'sandbox:write'],
    ['DELETE', '/sandbox/faults/x', 'sandbox:write'],
    ['POST', '/sandbox/worlds/x/advance', 'sandbox:write'],
    ['GET', '/sandbox/worlds', 'sandbox:write'],
    ['GET', '/sandbox/worlds/x', 'sandbox:write'],
    ['DELETE', '/sandbox/worlds/x', 'sandbox:write'],
    ['GET', '/users/x/accounts', 'users:read'],
    ['GET', '/users/x/links', 'users:read'],
    ['GET', '/users/x/transactions', 'users:read'],
    ['GET', '/users/x/export', 'users:read'],
    ['DELETE', '/users/x', 'users:write'],
  ])('is refused at %s %s, which needs %s', async (method, path, scope) => {
    const others = await service.token(
      'pocket-ledger',
      'sandbox',
      SCOPES.filter((other) => other !== scope).join(' '),
    );
    const right = await service.token('pocket-ledger', 'sandbox', scope);
    // An invalid body, so that the authorized call starts nothing.
    const request = method === 'POST' ? { json: [] } : {};
    expect(errorOf(await service.api.as(others).send(method, path, request))).toMatchObject({
      status: 401,
      code: unauthorized,
    });
    expect((await service.api.as(right).send(method, path, request)).status).not.toBe(401);
  });
});

describe('The log of refused requests', () => {
  it('contains no token, secret, query or body', async () => {
    const opened = await openSession(service, token);
    await service.api.get(`/links?cursor=canary-query`, { token });
    const log = service.log();
    expect(log).toContain('http.request');
    for (const secret of [
      token,
      opened.linkSessionToken,
      opened.connectToken,
      'canary-query',
      'user-4711',
      clientSecret('pocket-ledger', 'sandbox'),
    ])
      expect(log).not.toContain(secret);
  });
});
