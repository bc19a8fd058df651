import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CountryCode, Products, type LinkTokenCreateRequest } from 'plaid';
import { forgetPlaidTokens } from '../../prisma/repositories/plaid-session.repository.js';
import { BANK, clientId, forceLink, OAUTH_BANK, startApiInProcess, type ApiInProcess } from '../support/api-in-process.js';
import { plaidOf, refusalOf } from '../support/plaid-client.js';

const REQUEST: LinkTokenCreateRequest = { client_name: 'Pocket Ledger', language: 'en', country_codes: [CountryCode.Us], user: { client_user_id: 'user-4711' }, products: [Products.Transactions] };
const TOKEN = /^link-sandbox-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INVALID_FIELD = [400, 'INVALID_REQUEST', 'INVALID_FIELD'];
const INVALID_PRODUCT = [400, 'INVALID_INPUT', 'INVALID_PRODUCT'];
const INVALID_INSTITUTION = [400, 'INVALID_INPUT', 'INVALID_INSTITUTION'];
const INVALID_ACCESS_TOKEN = [400, 'INVALID_INPUT', 'INVALID_ACCESS_TOKEN'];

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess({ RATE_LIMIT_COMPAT: 'off' });
}, 60_000);
afterAll(() => service?.close(), 30_000);

const plaid = () => plaidOf(service);
const create = (over: object = {}) => plaid().linkTokenCreate({ ...REQUEST, ...over } as LinkTokenCreateRequest);

/** What the front end does: opens the token in Connect, links the bank, and gets the public token. */
async function linked(linkToken: string, steps = true): Promise<{ public_token: string; accounts: unknown[]; mode: string }> {
  const opened = await service.api.post('/connect/api/session/open', { json: { link_session_token: linkToken, request_id: randomUUID(), origin: 'https://app.example', platform: 'web' } });
  const { connect_token: token, seq } = opened.body as { connect_token: string; seq: number };
  const connect = service.api.as(token);
  if (steps) await connect.post('/connect/api/session/step', { json: { seq, request_id: randomUUID(), input: { kind: 'select_institution', institution_id: BANK } } });
  const { body } = await connect.post('/connect/api/session/finish', { json: { request_id: randomUUID() } });
  const { public_token: publicToken, accounts, mode } = body as { public_token: string; accounts: unknown[]; mode: string };
  return { public_token: publicToken, accounts, mode };
}

async function item(over: object = {}) {
  const { data: { link_token: token } } = await create(over);
  const { public_token: publicToken } = await linked(token);
  const { data } = await plaid().itemPublicTokenExchange({ public_token: publicToken });
  return { ...data, publicToken };
}

describe('/link/token/create', () => {
  it('makes a token that waits four hours, and that Connect opens', async () => {
    const { status, data } = await create();
    expect(status).toBe(200);
    expect(data).toEqual({ link_token: expect.stringMatching(TOKEN), expiration: expect.stringMatching(/Z$/), request_id: expect.stringMatching(/^[A-Za-z0-9]{15}$/) });
    expect(new Date(data.expiration).getTime() - Date.now()).toBeGreaterThan(4 * 3_600_000 - 60_000);
    const { public_token: publicToken } = await linked(data.link_token);
    expect(publicToken).toMatch(/^public-sandbox-/);
    const { data: exchanged } = await plaid().itemPublicTokenExchange({ public_token: publicToken });
    const { data: { item: shown } } = await plaid().itemGet({ access_token: exchanged.access_token });
    expect(shown).toMatchObject({ item_id: exchanged.item_id, institution_id: BANK, error: null, consented_products: ['balance', 'transactions'] });
  });

  it('names every required field that is missing', async () => {
    const { data } = await plaid().linkTokenCreate({} as never).catch((error: { response: { data: unknown } }) => error.response) as { data: { error_message: string } };
    expect(data).toMatchObject({ error_code: 'MISSING_FIELDS', error_message: 'the following required fields are missing: client_name, language, country_codes, user, products' });
  });

  it.each([
    ['no product', { products: [] }, INVALID_FIELD],
    ['an unknown country', { country_codes: ['XX'] }, INVALID_FIELD],
    ['a product nobody knows', { products: ['transactions', 'mind_reading'] }, INVALID_PRODUCT],
    ['only products that are not offered', { products: ['liabilities'] }, INVALID_PRODUCT],
    ['an optional product nobody knows', { optional_products: ['mind_reading'] }, INVALID_PRODUCT],
    ['days out of range', { transactions: { days_requested: 731 } }, INVALID_FIELD],
    ['a webhook that is no address', { webhook: 'nonsense' }, INVALID_FIELD],
    ['a webhook in a private network', { webhook: 'https://10.0.0.1/hook' }, INVALID_FIELD],
    ['a redirect_uri with a query', { redirect_uri: 'https://app.example/?x=1' }, INVALID_FIELD],
    ['an unknown institution', { institution_id: 'ins_1' }, INVALID_INSTITUTION],
    ['a foreign access_token', { access_token: `access-sandbox-${randomUUID()}` }, INVALID_ACCESS_TOKEN],
  ])('refuses %s', async (_, over, refusal) => {
    expect(await refusalOf(create(over))).toEqual(refusal);
  });

  it.each([
    ['a product that is not offered beside one that is', { products: ['transactions', 'liabilities'] }],
    ['balance, and transactions_refresh', { products: ['balance', 'transactions_refresh'] }],
    ['optional products that are not offered', { optional_products: ['investments'], required_if_supported_products: ['identity'], additional_consented_products: ['auth'] }],
    ['null for whatever is optional', { webhook: null, access_token: null, institution_id: null, account_filters: null, redirect_uri: null }],
    ['a long name, an unknown language, and fields nobody knows', { client_name: 'x'.repeat(80), language: 'xx', android_package_name: 'x', whatever: 1 }],
    ['an institution with a login of its own without redirect_uri', { institution_id: 'ins_127287' }],
    ['a user_id instead of a user', { user: undefined, user_id: 'user-1' }],
    ['a long user id', { user: { client_user_id: 'x'.repeat(400) } }],
  ])('takes %s', async (_, over) => {
    expect((await create(over)).status).toBe(200);
  });

  it('ignores what is not offered only in Sandbox, and only while the client wants it', async () => {
    const { prisma } = service.database;
    expect(await refusalOf(plaidOf(service, 'pocket-ledger', 'live').linkTokenCreate({ ...REQUEST, products: ['transactions', 'liabilities'] } as never))).toEqual(INVALID_PRODUCT);
    const ignoring = (ignoresUnofferedProducts: boolean) => prisma.apiClient.update({ where: { clientId: clientId('pocket-ledger', 'sandbox') }, data: { ignoresUnofferedProducts } });
    await ignoring(false);
    expect(await refusalOf(create({ products: ['transactions', 'liabilities'] }))).toEqual(INVALID_PRODUCT);
    await ignoring(true);
  });

  it('tells of a trial that is used up', async () => {
    const { prisma } = service.database;
    const limited = (liveLimit: number) => prisma.apiClient.update({ where: { clientId: clientId('rival', 'live') }, data: { liveLimit } });
    await limited(0);
    expect(await refusalOf(plaidOf(service, 'rival', 'live').linkTokenCreate({ ...REQUEST, products: [Products.Balance] } as never))).toEqual([429, 'RATE_LIMIT_EXCEEDED', 'CREDITS_EXHAUSTED']);
    await limited(10);
  });

  it('lets account filters take effect', async () => {
    const { access_token: token } = await item({ account_filters: { depository: { account_subtypes: ['savings'] } } });
    const { data: { accounts } } = await plaid().accountsGet({ access_token: token });
    expect(accounts.map(({ subtype }) => subtype)).toEqual(['savings']);
  });

  it('keeps the alias an institution was asked for by', async () => {
    const { data } = await create({ institution_id: 'ins_127287', redirect_uri: 'https://app.example/back' });
    const session = await service.database.prisma.linkSession.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    expect(session).toMatchObject({ presetInstitutionId: OAUTH_BANK, plaid: { institutionAlias: 'ins_127287' } });
    expect(data.link_token).toMatch(TOKEN);
  });

  it('says in which format the address is told, and the native API tells nothing there', async () => {
    const { item_id: linkId, access_token: token } = await item({ webhook: 'https://app.example/hook' });
    expect((await plaid().itemGet({ access_token: token })).data.item.webhook).toBe('https://app.example/hook');
    expect(await service.database.prisma.webhookEvent.count({ where: { linkId } })).toBe(0);
  });
});

describe('update mode', () => {
  it('gives one more access_token of the same item, and leaves its webhook', async () => {
    const { item_id: itemId, access_token: token } = await item({ webhook: 'https://app.example/hook' });
    await forceLink(service, itemId, { state: 'error', errorCode: 'auth_expired' });
    const { data } = await create({ products: undefined, access_token: token, webhook: 'https://elsewhere.example' });
    expect(new Date(data.expiration).getTime() - Date.now()).toBeLessThan(1_801_000);
    const result = await linked(data.link_token);
    expect(result).toMatchObject({ mode: 'relink', public_token: expect.stringMatching(/^public-sandbox-/) });
    const { data: more } = await plaid().itemPublicTokenExchange({ public_token: result.public_token });
    expect(more).toMatchObject({ item_id: itemId });
    expect(more.access_token).not.toBe(token);
    for (const each of [token, more.access_token]) {
      expect((await plaid().itemGet({ access_token: each })).data.item).toMatchObject({ error: null, webhook: 'https://app.example/hook' });
    }
    expect(await refusalOf(plaid().itemPublicTokenExchange({ public_token: result.public_token }))).toEqual([400, 'INVALID_INPUT', 'INVALID_PUBLIC_TOKEN']);
  });

  it('is not for an item that was removed', async () => {
    const { access_token: token } = await item();
    await plaid().itemRemove({ access_token: token });
    expect(await refusalOf(create({ access_token: token }))).toEqual([400, 'ITEM_ERROR', 'ITEM_NOT_FOUND']);
  });
});

describe('/link/token/get', () => {
  it('tells what was asked for, and in the end what came of it', async () => {
    const { data: { link_token: token, expiration } } = await create({ webhook: 'https://app.example/hook', account_filters: { depository: { account_subtypes: ['all'] } } });
    const { data: before } = await plaid().linkTokenGet({ link_token: token });
    expect(before).toMatchObject({
      link_token: token, expiration, link_sessions: [],
      metadata: {
        initial_products: ['transactions'], webhook: 'https://app.example/hook', country_codes: ['US'], language: 'en', redirect_uri: null, client_name: 'Pocket Ledger',
        account_filters: { depository: { account_subtypes: ['all'] } },
      },
    });
    const { public_token: publicToken } = await linked(token);
    const { data: { link_sessions: [session] = [] } } = await plaid().linkTokenGet({ link_token: token });
    expect(session).toMatchObject({
      link_session_id: expect.any(String), exit: null, events: [{ event_name: 'OPEN' }, { event_name: 'HANDOFF' }],
      results: {
        item_add_results: [{ public_token: publicToken, institution: { institution_id: BANK, name: BANK }, accounts: [{ name: 'Everyday Checking', mask: '1101', type: 'depository', subtype: 'checking', verification_status: null, class_type: null }, { mask: '2202' }] }],
        cra_item_add_results: [], bank_income_results: [], payroll_income_results: [], document_income_results: null,
      },
    });
  });

  it('is for whoever made it, until six hours after its end', async () => {
    const { data: { link_token: token } } = await create();
    const INVALID_LINK_TOKEN = [400, 'INVALID_INPUT', 'INVALID_LINK_TOKEN'];
    expect(await refusalOf(plaidOf(service, 'rival').linkTokenGet({ link_token: token }))).toEqual(INVALID_LINK_TOKEN);
    expect(await refusalOf(plaid().linkTokenGet({ link_token: 'nonsense' }))).toEqual(INVALID_LINK_TOKEN);
    const { public_token: publicToken } = await linked(token);
    await plaid().itemPublicTokenExchange({ public_token: publicToken });
    expect((await plaid().linkTokenGet({ link_token: token })).status).toBe(200);
    const later = new Date(Date.now() + 6 * 3_600_000 + 1_000);
    expect(await forgetPlaidTokens(service.ctx, later)).toBeGreaterThan(0);
    expect(await service.database.prisma.linkSession.count({ where: { state: 'ended', sealedPublicToken: { not: null } } })).toBe(0);
    await service.database.prisma.linkSession.updateMany({ where: { state: 'ended' }, data: { endedAt: new Date(Date.now() - 6 * 3_600_000 - 1_000) } });
    expect(await refusalOf(plaid().linkTokenGet({ link_token: token }))).toEqual(INVALID_LINK_TOKEN);
  });
});
