import { randomUUID } from 'node:crypto';
import { Products, type LinkTokenCreateRequest } from 'plaid';
import { BANK, clientId, forceLink } from '../support/services/api-in-process.js';
import { OAUTH_BANK } from '../support/services/row-steps.js';
import { plaidOf, refusalOf } from '../support/actors/plaid-client.js';
import { LINK_REQUEST, plaidServiceOfFile } from '../support/fixtures/plaid-service.js';

const TOKEN = /^link-sandbox-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INVALID_FIELD = [400, 'INVALID_REQUEST', 'INVALID_FIELD'];
const INVALID_PRODUCT = [400, 'INVALID_INPUT', 'INVALID_PRODUCT'];
const INVALID_INSTITUTION = [400, 'INVALID_INPUT', 'INVALID_INSTITUTION'];
const INVALID_ACCESS_TOKEN = [400, 'INVALID_INPUT', 'INVALID_ACCESS_TOKEN'];

const service = plaidServiceOfFile();

describe('/link/token/create', () => {
  it('creates a token that Connect opens and that is valid for four hours', async () => {
    const { status, data } = await service.create();
    expect(status).toBe(200);
    expect(data).toEqual({
      link_token: expect.stringMatching(TOKEN),
      expiration: expect.stringMatching(/Z$/),
      request_id: expect.stringMatching(/^[A-Za-z0-9]{15}$/),
    });
    expect(new Date(data.expiration).getTime() - Date.now()).toBeGreaterThan(
      4 * 3_600_000 - 60_000,
    );
    const { public_token: publicToken } = await service.link(data.link_token);
    expect(publicToken).toMatch(/^public-sandbox-/);
    const { data: exchanged } = await service.plaid.itemPublicTokenExchange({
      public_token: publicToken,
    });
    const {
      data: { item: shown },
    } = await service.plaid.itemGet({ access_token: exchanged.access_token });
    expect(shown).toMatchObject({
      item_id: exchanged.item_id,
      institution_id: BANK,
      error: null,
      consented_products: ['balance', 'transactions'],
    });
  });

  it('names every missing required field', async () => {
    const { data } = (await service.plaid
      .linkTokenCreate({} as never)
      .catch((error: { response: { data: unknown } }) => error.response)) as {
      data: { error_message: string };
    };
    expect(data).toMatchObject({
      error_code: 'MISSING_FIELDS',
      error_message:
        'the following required fields are missing: client_name, language, country_codes, user, products',
    });
  });

  it.each([
    ['an empty list of products', { products: [] }, INVALID_FIELD],
    [
      'a javascript: completion_redirect_uri',
      { hosted_link: { completion_redirect_uri: 'javascript:/alert(1)' } },
      INVALID_FIELD,
    ],
    [
      'a hosted URL with too long a lifetime',
      { hosted_link: { url_lifetime_seconds: 1_814_401 } },
      INVALID_FIELD,
    ],
    ['an unknown country', { country_codes: ['XX'] }, INVALID_FIELD],
    ['an unknown product', { products: ['transactions', 'mind_reading'] }, INVALID_PRODUCT],
    ['only unsupported products', { products: ['assets'] }, INVALID_PRODUCT],
    ['an unknown optional product', { optional_products: ['mind_reading'] }, INVALID_PRODUCT],
    ['days out of range', { transactions: { days_requested: 731 } }, INVALID_FIELD],
    ['a webhook that is not a URL', { webhook: 'nonsense' }, INVALID_FIELD],
    ['a webhook in a private network', { webhook: 'https://10.0.0.1/hook' }, INVALID_FIELD],
    ['a redirect_uri with a query', { redirect_uri: 'https://app.example/?x=1' }, INVALID_FIELD],
    ['an unknown institution', { institution_id: 'ins_999999' }, INVALID_INSTITUTION],
    [
      'an institution without a required product',
      { institution_id: BANK, products: ['investments'] },
      INVALID_INSTITUTION,
    ],
    [
      'a foreign access_token',
      { access_token: `access-sandbox-${randomUUID()}` },
      INVALID_ACCESS_TOKEN,
    ],
  ])('refuses %s', async (_, over, refusal) => {
    expect(await refusalOf(service.create(over))).toEqual(refusal);
  });

  it.each([
    ['an unsupported product beside a supported one', { products: ['transactions', 'assets'] }],
    ['balance and transactions_refresh', { products: ['balance', 'transactions_refresh'] }],
    [
      'transactions and recurring_transactions',
      { products: ['transactions', 'recurring_transactions'] },
    ],
    [
      'unsupported optional products',
      {
        optional_products: ['assets'],
        required_if_supported_products: ['identity'],
        additional_consented_products: ['auth'],
      },
    ],
    [
      'an institution without products that are optional',
      {
        institution_id: BANK,
        optional_products: ['investments'],
        required_if_supported_products: ['liabilities'],
      },
    ],
    [
      'null for every optional field',
      {
        webhook: null,
        access_token: null,
        institution_id: null,
        account_filters: null,
        redirect_uri: null,
      },
    ],
    [
      'a long name, an unknown language and unknown fields',
      { client_name: 'x'.repeat(80), language: 'xx', android_package_name: 'x', whatever: 1 },
    ],
    ['a user id longer than a native one', { user: { client_user_id: 'x'.repeat(300) } }],
    ['an OAuth institution without redirect_uri', { institution_id: 'ins_127287' }],
    ['a user_id instead of a user', { user: undefined, user_id: 'user-1' }],
    ['a long user id', { user: { client_user_id: 'x'.repeat(400) } }],
  ])('accepts %s', async (_, over) => {
    expect((await service.create(over)).status).toBe(200);
  });

  it('ignores unsupported products only in Sandbox, and only while the client allows it', async () => {
    const { prisma } = service.api.database;
    expect(
      await refusalOf(
        plaidOf(service.api, 'pocket-ledger', 'live').linkTokenCreate({
          ...LINK_REQUEST,
          products: ['transactions', 'assets'],
        } as never),
      ),
    ).toEqual(INVALID_PRODUCT);
    const ignoring = (ignoresUnofferedProducts: boolean) =>
      prisma.apiClient.update({
        where: { clientId: clientId('pocket-ledger', 'sandbox') },
        data: { ignoresUnofferedProducts },
      });
    await ignoring(false);
    expect(await refusalOf(service.create({ products: ['transactions', 'assets'] }))).toEqual(
      INVALID_PRODUCT,
    );
    await ignoring(true);
  });

  it('returns an error when the trial limit is used up', async () => {
    const { prisma } = service.api.database;
    const limited = (liveLimit: number) =>
      prisma.apiClient.update({
        where: { clientId: clientId('rival', 'live') },
        data: { liveLimit },
      });
    await limited(0);
    expect(
      await refusalOf(
        plaidOf(service.api, 'rival', 'live').linkTokenCreate({
          ...LINK_REQUEST,
          products: [Products.Balance],
        } as never),
      ),
    ).toEqual([429, 'RATE_LIMIT_EXCEEDED', 'CREDITS_EXHAUSTED']);
    await limited(10);
  });

  it('applies account filters', async () => {
    const { access_token: token } = await service.item({
      account_filters: { depository: { account_subtypes: ['savings'] } },
    });
    const {
      data: { accounts },
    } = await service.plaid.accountsGet({ access_token: token });
    expect(accounts.map(({ subtype }) => subtype)).toEqual(['savings']);
  });

  it('uses our hosted page as the return page when there is no redirect_uri', async () => {
    const {
      data: { link_token: token },
    } = await service.create({ institution_id: 'ins_127287' });
    const session = await service.api.database.prisma.linkSession.findFirstOrThrow({
      orderBy: { createdAt: 'desc' },
    });
    expect(session.redirectUri).toBe(`${service.api.connectBaseUrl}/hosted`);
    expect(
      (await service.plaid.linkTokenGet({ link_token: token })).data.metadata.redirect_uri,
    ).toBeNull();
  });

  it('returns a hosted token with an address that is valid as long as its URL', async () => {
    const asked = Date.now();
    const { data } = await service.create({
      hosted_link: { completion_redirect_uri: 'piggy://done?x=1', url_lifetime_seconds: 120 },
    });
    const createdAt = new Date(data.expiration).getTime() - 120_000;
    expect(createdAt).toBeGreaterThanOrEqual(asked - 1_000);
    expect(createdAt).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(data.hosted_link_url).toBe(
      `${service.api.connectBaseUrl}/hosted#token=${data.link_token}`,
    );
    expect(Object.keys((await service.create()).data)).not.toContain('hosted_link_url');
    const { public_token: publicToken, completion_redirect_uri: completion } = await service.link(
      data.link_token,
      new URL(service.api.connectBaseUrl).origin,
    );
    expect(completion).toBe('piggy://done?x=1');
    const {
      data: { link_sessions: [session] = [] },
    } = await service.plaid.linkTokenGet({ link_token: data.link_token });
    expect(session?.results?.item_add_results).toMatchObject([{ public_token: publicToken }]);
  });

  it('opens the hosted page in Live although no page of the app is listed', async () => {
    const live = plaidOf(service.api, 'pocket-ledger', 'live');
    const {
      data: { link_token: token },
    } = await live.linkTokenCreate({
      ...LINK_REQUEST,
      products: [Products.Balance],
      hosted_link: {},
    } as LinkTokenCreateRequest);
    const open = (origin: string) =>
      service.api.api.post('/connect/api/session/open', {
        json: { link_session_token: token, request_id: randomUUID(), origin, platform: 'web' },
      });
    expect((await open('https://app.example')).status).toBe(403);
    expect((await open(new URL(service.api.connectBaseUrl).origin)).status).toBe(200);
  });

  it('keeps the alias by which the institution was requested', async () => {
    const { data } = await service.create({
      institution_id: 'ins_127287',
      redirect_uri: 'https://app.example/back',
    });
    const session = await service.api.database.prisma.linkSession.findFirstOrThrow({
      orderBy: { createdAt: 'desc' },
    });
    expect(session).toMatchObject({
      presetInstitutionId: OAUTH_BANK,
      options: { institutionAlias: 'ins_127287' },
    });
    expect(data.link_token).toMatch(TOKEN);
  });

  it('opens the sandbox bank that stands in for an institution of a requested country', async () => {
    const request = { institution_id: 'ins_117650', redirect_uri: 'https://app.example/back' };
    const { data } = await service.create({ ...request, country_codes: ['GB'] });
    const session = await service.api.database.prisma.linkSession.findFirstOrThrow({
      orderBy: { createdAt: 'desc' },
    });
    expect(session).toMatchObject({ presetInstitutionId: OAUTH_BANK });
    const { data: shown } = await service.plaid.linkTokenGet({ link_token: data.link_token });
    expect(shown.metadata.country_codes).toEqual(['GB']);
    expect(await refusalOf(service.create({ ...request, country_codes: ['FR'] }))).toEqual(
      INVALID_INSTITUTION,
    );
  });

  it('reports another institution than the requested one under its own id', async () => {
    const { data } = await service.create({
      institution_id: 'ins_127287',
      redirect_uri: 'https://app.example/back',
    });
    const { public_token: publicToken } = await service.link(data.link_token);
    const { data: shown } = await service.plaid.linkTokenGet({ link_token: data.link_token });
    expect(
      shown.link_sessions?.flatMap(({ results }) =>
        results?.item_add_results.map(({ institution }) => institution?.institution_id),
      ),
    ).toEqual([BANK]);
    const exchanged = await service.plaid.itemPublicTokenExchange({ public_token: publicToken });
    const { access_token: token } = exchanged.data;
    expect((await service.plaid.itemGet({ access_token: token })).data.item.institution_id).toBe(
      BANK,
    );
  });

  it('stores the webhook of the item, and sends no native event to it', async () => {
    const { item_id: linkId, access_token: token } = await service.item({
      webhook: 'https://app.example/hook',
    });
    expect((await service.plaid.itemGet({ access_token: token })).data.item.webhook).toBe(
      'https://app.example/hook',
    );
    expect(await service.api.database.prisma.webhookEvent.count({ where: { linkId } })).toBe(0);
  });
});

// plaid-compat 2: a session created through either API can be exchanged through either.
describe('A public_token', () => {
  it('is the exchangeable token of its session, and can be exchanged once through either API', async () => {
    const { public_token: publicToken } = await service.link(
      (await service.create()).data.link_token,
    );
    const native = service.api.api.as(await service.api.token('pocket-ledger'));
    const { status, body } = await native.post('/link-session/exchange-token', {
      json: { exchangeable_token: publicToken },
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: expect.objectContaining({ link_id: expect.stringMatching(/^mk_/) }),
    });
    expect(
      await refusalOf(service.plaid.itemPublicTokenExchange({ public_token: publicToken })),
    ).toEqual([400, 'INVALID_INPUT', 'INVALID_PUBLIC_TOKEN']);
  });
});

describe('Update mode', () => {
  it('returns another access_token of the same item and keeps its webhook', async () => {
    const { item_id: itemId, access_token: token } = await service.item({
      webhook: 'https://app.example/hook',
    });
    await forceLink(service.api, itemId, { state: 'error', errorCode: 'auth_expired' });
    const { data } = await service.create({
      products: undefined,
      access_token: token,
      webhook: 'https://elsewhere.example',
    });
    expect(new Date(data.expiration).getTime() - Date.now()).toBeLessThan(1_801_000);
    const result = await service.link(data.link_token);
    expect(result).toMatchObject({
      mode: 'relink',
      public_token: expect.stringMatching(/^public-sandbox-/),
    });
    const { data: more } = await service.plaid.itemPublicTokenExchange({
      public_token: result.public_token,
    });
    expect(more).toMatchObject({ item_id: itemId });
    expect(more.access_token).not.toBe(token);
    for (const each of [token, more.access_token]) {
      expect((await service.plaid.itemGet({ access_token: each })).data.item).toMatchObject({
        error: null,
        webhook: 'https://app.example/hook',
      });
    }
    expect(
      await refusalOf(service.plaid.itemPublicTokenExchange({ public_token: result.public_token })),
    ).toEqual([400, 'INVALID_INPUT', 'INVALID_PUBLIC_TOKEN']);
  });

  it('is refused for a removed item', async () => {
    const { access_token: token } = await service.item();
    await service.plaid.itemRemove({ access_token: token });
    expect(await refusalOf(service.create({ access_token: token }))).toEqual([
      400,
      'ITEM_ERROR',
      'ITEM_NOT_FOUND',
    ]);
  });
});
