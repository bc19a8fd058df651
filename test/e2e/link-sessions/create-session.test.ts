import { randomUUID } from 'node:crypto';
import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import {
  BANK,
  connectedLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { OAUTH_BANK } from '../../support/services/row-steps.js';

let service: ApiInProcess;
let token: string;

beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
});

afterEach(() => change({ redirectOrigins: [], features: [] }));

afterAll(async () => {
  await service?.close();
});

interface View {
  mode: string;
  products: Record<string, { required: boolean; reason: string | null }>;
  countries: string[];
  features: Record<string, boolean>;
  theme: unknown;
  redirect_uri: string | null;
  institution: { institution_id: string } | null;
}

const change = (data: { redirectOrigins?: string[]; features?: string[] }) =>
  service.database.prisma.application.update({ where: { appId: 'pocket-ledger' }, data });
const create = (fields: Record<string, unknown>, bearer = token): Promise<ApiResponse> =>
  service.api.as(bearer).post('/link-session', { json: { customer_user: { id: 'u' }, ...fields } });
const statusOf = async (fields: Record<string, unknown>) => (await create(fields)).status;

/** Returns the view of a session with these fields, and the institutions it finds. */
async function opened(
  fields: Record<string, unknown>,
): Promise<{ view: View; offered: string[]; connectToken: string }> {
  const created = await create(fields);
  const { link_session_token: linkSessionToken } = created.body as { link_session_token: string };
  const { body, status, text } = await service.api.post('/connect/api/session/open', {
    json: {
      link_session_token: linkSessionToken,
      request_id: randomUUID(),
      origin: 'https://app.example',
      platform: 'web',
    },
  });
  if (status !== 200) throw new Error(`open returned ${status}: ${text}`);
  const { connect_token: connectToken, ...view } = body as View & { connect_token: string };
  const found = (await service.api.as(connectToken).get('/connect/api/institutions')).body as {
    institutions: { institution_id: string }[];
  };
  return {
    view,
    connectToken,
    offered: found.institutions.map(({ institution_id: id }) => id).sort(),
  };
}

// link-lifecycle 2.1 and 3.
describe('POST /link-session', () => {
  it.each(['sandbox', 'live'] as const)(
    'returns a token of the environment %s that is valid for half an hour',
    async (environment) => {
      const bearer = await service.token('pocket-ledger', environment);
      const asked = Date.now();
      const { status, body } = await create({}, bearer);
      const answered = Date.now();
      const { link_session_token: linkSessionToken, expires_at: expiresAt } = body as {
        link_session_token: string;
        expires_at: string;
      };
      expect(status).toBe(201);
      expect(linkSessionToken).toMatch(new RegExp(`^${environment}_ls_[A-Za-z0-9_-]{43}$`));
      const createdAt = Date.parse(`${expiresAt}Z`) - 1_800_000;
      expect(createdAt).toBeGreaterThanOrEqual(asked - 1_000);
      expect(createdAt).toBeLessThanOrEqual(answered + 1_000);
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ['a user id of one character', { customer_user: { id: 'x' } }],
    ['a user id of 150 characters', { customer_user: { id: 'x'.repeat(150) } }],
    [
      'a redirect_uri of 65,536 characters',
      { redirect_uri: `https://app.example/${'x'.repeat(65_516)}` },
    ],
    [
      '50 tags of 99 characters',
      {
        tags: Array.from(
          { length: 50 },
          (_, index) => `${String(index).padStart(2, '0')}${'x'.repeat(97)}`,
        ),
      },
    ],
    ['the same tags under both names', { tags: ['ok'], link_tags: ['ok'] }],
    ['a webhook of null', { webhook: null }],
    ['the default world', { world_id: 'default' }],
    ['an unknown field', { color: 'blue', settings: { size: 1 } }],
    ['an unknown feature', { connect_features: { sing: true } }],
    [
      'settings of the product accounts, which has none',
      { settings: { products: { accounts: { required: 'maybe' } } } },
    ],
    [
      'a reason of 120 characters',
      { products_settings: { identity: { reason: 'x'.repeat(120) } } },
    ],
  ])('accepts %s', async (_what, fields) =>
    expect(await create(fields)).toMatchObject({ status: 201 }),
  );

  it.each<[string, Record<string, unknown>, string[]]>([
    ['a user id that is not a string', { customer_user: { id: 7 } }, ['body.customer_user.id']],
    ['an empty redirect_uri', { redirect_uri: '' }, ['body.redirect_uri']],
    [
      'a redirect_uri of 65,537 characters',
      { redirect_uri: `https://app.example/${'x'.repeat(65_517)}` },
      ['body.redirect_uri'],
    ],
    ['a tag of 100 characters', { tags: ['x'.repeat(100)] }, ['body.tags.0']],
    [
      'an empty reason',
      { products_settings: { identity: { reason: '' } } },
      ['body.products_settings.identity.reason'],
    ],
    [
      'a reason of the wrong type in the object form',
      { settings: { products: { identity: { reason: 7 } } } },
      ['body.settings.products.identity.reason'],
    ],
    [
      'countries that are not an array',
      { settings: { countries: 'US' } },
      ['body.settings.countries'],
    ],
    [
      'providers that are not an array',
      { settings: { providers: 'sandbox' } },
      ['body.settings.providers'],
    ],
    ['a webhook that is not a URL', { webhook: 'app.example/hook' }, ['body.webhook']],
  ])('refuses %s', async (_what, fields, locations) => {
    expect(errorOf(await create(fields))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations,
    });
  });

  it('for an existing link opens at its institution, whatever institution it names', async () => {
    const linkId = await connectedLink(service, token);
    const { view } = await opened({
      customer_user: { id: 'user-4711' },
      existing_link_id: linkId,
      institution_id: 'no_one',
    });
    expect(view).toMatchObject({ mode: 'relink', institution: { institution_id: BANK } });
  });

  it('assigns its tags to the link, without duplicates', async () => {
    const linkId = await connectedLink(service, token, { tags: ['tier:gold', 'a', 'tier:gold'] });
    expect((await service.api.as(token).get(`/links/${linkId}`)).body).toMatchObject({
      tags: ['tier:gold', 'a'],
    });
  });

  it('stores its theme', async () => {
    const theme = { color: { primary: { light: '#123456', dark: '#abcdef' } } };
    expect((await opened({ settings: { theme } })).view.theme).toEqual(theme);
  });
});

// link-lifecycle 2.2 and 2.3.
describe('The products of a session', () => {
  const on = { required: true, reason: null };
  const off = { required: false, reason: null };
  it.each<[string, Record<string, unknown>, View['products']]>([
    ['no settings: only accounts', {}, {}],
    [
      'an array',
      { settings: { products: ['identity', 'transactions'] } },
      { identity: off, transactions: off },
    ],
    ['an object', { settings: { products: { identity: { required: true } } } }, { identity: on }],
    [
      'the settings alone',
      { products_settings: { transactions: { required: true } } },
      { transactions: on },
    ],
    [
      'an array and settings of other products',
      {
        settings: { products: ['identity'] },
        products_settings: { transactions: { reason: 'see spending' } },
      },
      { identity: off, transactions: { required: false, reason: 'see spending' } },
    ],
    [
      'both, where products_settings wins',
      {
        settings: { products: { identity: { required: true, reason: 'why' } } },
        products_settings: { identity: { required: false } },
      },
      { identity: { required: false, reason: 'why' } },
    ],
    ['the alias', { product_settings: { identity: { required: true } } }, { identity: on }],
  ])('are taken from %s', async (_what, fields, products) =>
    expect((await opened(fields)).view.products).toEqual(products),
  );
});

describe('The institutions of a session', () => {
  const withReturn = { redirect_uri: 'https://app.example/return' };
  it.each<[string, Record<string, unknown>, string[]]>([
    ['all, with a redirect_uri', withReturn, [BANK, OAUTH_BANK]],
    ['none with OAuth without a redirect_uri', {}, [BANK]],
    ['none of another country', { ...withReturn, settings: { countries: ['GB'] } }, []],
    [
      'those of any country it names',
      { ...withReturn, settings: { countries: ['GB', 'US'] } },
      [BANK, OAUTH_BANK],
    ],
    [
      'those of the providers it names',
      { ...withReturn, settings: { providers: ['sandbox'] } },
      [BANK, OAUTH_BANK],
    ],
    [
      'those with every required product',
      { ...withReturn, products_settings: { identity: { required: true } } },
      [OAUTH_BANK],
    ],
    [
      'all, when a product is not required',
      { ...withReturn, settings: { products: ['identity'] } },
      [BANK, OAUTH_BANK],
    ],
  ])('are %s', async (_what, fields, institutions) => {
    const { offered, connectToken } = await opened(fields);
    expect(offered).toEqual([...institutions].sort());
    // connect 6: an institution that is not offered cannot be selected, either.
    for (const left of [BANK, OAUTH_BANK].filter((id) => !institutions.includes(id))) {
      const response = await service.api.as(connectToken).post('/connect/api/session/step', {
        json: {
          seq: 1,
          request_id: randomUUID(),
          input: { kind: 'select_institution', institution_id: left },
        },
      });
      expect(errorOf(response)).toMatchObject({
        status: 404,
        code: 'connect_error.institution_not_available',
      });
    }
  });

  it('come in the order of its countries', async () => {
    expect((await opened({ settings: { countries: ['GB', 'US', 'CA'] } })).view.countries).toEqual([
      'GB',
      'US',
      'CA',
    ]);
    expect((await opened({})).view.countries).toEqual(['US']);
  });
});

// link-lifecycle 2.4.
describe('The redirect_uri of a session', () => {
  it.each([
    'https://app.example/return',
    'https://app.example',
    'pocket-ledger://bank/return',
    'http://localhost:3000/return',
    'http://127.0.0.1/return',
    'http://[::1]:8080/',
  ])('may be %s in Sandbox while no list is configured', async (address) => {
    expect((await opened({ redirect_uri: address })).view.redirect_uri).toBe(address);
  });

  it.each([
    ['https://app.example/other/page', 201],
    ['pocket-ledger://bank/return', 201],
    ['https://app.example:8443/return', 403],
    ['https://evil.example/return', 403],
    ['https://app.example.evil.example/return', 403],
    ['http://localhost:3000/return', 403],
    ['other-app://bank/return', 403],
  ])('%s returns %d when a list is configured', async (redirectUri, status) => {
    await change({ redirectOrigins: ['https://app.example', 'pocket-ledger://bank'] });
    const response = await create({ redirect_uri: redirectUri });
    expect(response.status).toBe(status);
    if (status === 403)
      expect(errorOf(response)).toMatchObject({ code: 'link_session_error.forbidden_config' });
  });
});

// link-lifecycle 2.5.
describe('The features of a session', () => {
  const NAMES = [
    'issue_reporter',
    'connect_manually',
    'duplicate_institution_warning',
    'duplicate_institution_rejected',
    'permit_only_one_account',
    'permit_only_depository_accounts',
  ];

  it.each(NAMES)('include %s only for apps that are entitled to it', async (name) => {
    const asked = { connect_features: { [name]: true } };
    expect(errorOf(await create(asked))).toMatchObject({
      status: 403,
      code: 'link_session_error.forbidden_config',
    });
    expect(await statusOf({ connect_features: { [name]: false } })).toBe(201);
    await change({ features: [name] });
    expect(await statusOf(asked)).toBe(201);
  });

  it('include manual connection when it was requested', async () => {
    await change({ features: ['connect_manually'] });
    expect((await opened({ connect_features: { connect_manually: true } })).view.features).toEqual({
      connect_manually: true,
    });
    expect((await opened({})).view.features).toEqual({ connect_manually: false });
  });
});
