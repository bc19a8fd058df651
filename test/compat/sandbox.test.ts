import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Products, type PlaidApi } from 'plaid';
import { eventually } from '../support/eventually.js';
import { failureOf, plaidClient, refusalOf } from '../support/plaid-client.js';
import { Standalone } from '../support/standalone.js';

jest.setTimeout(180_000);

let service: Standalone;
let plaid: PlaidApi;
beforeAll(async () => {
  service = await Standalone.start({ env: { SANDBOX_BANK_DELAY_FACTOR: '0', RATE_LIMIT_API: 'off', RATE_LIMIT_COMPAT: 'off', FETCH_RETRY_FOR: '100ms' } });
  const { client_id: clientId, client_secret: secret } = service.app.sandbox;
  plaid = plaidClient(service.info.base_url, { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret });
});
afterAll(() => service?.dispose());

const publicToken = (over: object = {}) => plaid.sandboxPublicTokenCreate({ institution_id: 'ins_109508', initial_products: [Products.Transactions, Products.Auth], ...over });

async function item(over: object = {}): Promise<string> {
  const { data } = await publicToken(over);
  return (await plaid.itemPublicTokenExchange({ public_token: data.public_token })).data.access_token;
}

describe('a Sandbox Item', () => {
  it('is made without a browser, read, refreshed and removed', async () => {
    const token = await item({ options: { webhook: 'https://app.example/hook' } });
    expect((await plaid.itemGet({ access_token: token })).data.item).toMatchObject({ institution_id: 'ins_109508', webhook: 'https://app.example/hook', error: null });
    const { data: { accounts } } = await plaid.accountsBalanceGet({ access_token: token });
    expect(accounts.length).toBeGreaterThan(1);
    const { data: { numbers } } = await eventually(() => plaid.authGet({ access_token: token }), { every: 500 });
    expect(numbers.ach.length).toBeGreaterThan(0);
    await eventually(async () => expect((await plaid.transactionsSync({ access_token: token })).data.next_cursor).not.toBe(''), { every: 500 });

    const today = new Date().toISOString().slice(0, 10);
    await plaid.sandboxTransactionsCreate({ access_token: token, transactions: [{ date_transacted: today, date_posted: today, amount: 12.34, description: 'Created Coffee' }] });
    const { data: { transactions } } = await plaid.transactionsGet({ access_token: token, start_date: today, end_date: today });
    expect(transactions).toContainEqual(expect.objectContaining({ name: 'Created Coffee', amount: 12.34, pending: false }));
    expect(await refusalOf(plaid.sandboxTransactionsCreate({ access_token: token, transactions: [{ date_transacted: '2020-01-01', date_posted: today, amount: 1, description: 'x' }] }))).toEqual([400, 'INVALID_REQUEST', 'INVALID_FIELD']);

    await plaid.transactionsRefresh({ access_token: token });
    await plaid.itemRemove({ access_token: token });
    expect(await refusalOf(plaid.itemGet({ access_token: token }))).toEqual([400, 'ITEM_ERROR', 'ITEM_NOT_FOUND']);
  });

  it.each([
    ['locked', 'ITEM_ERROR', 'ITEM_LOCKED'],
    ['error_user_error', 'ITEM_ERROR', 'USER_SETUP_REQUIRED'],
    ['error_incomplete', 'ITEM_ERROR', 'INSUFFICIENT_CREDENTIALS'],
    ['no_accounts', 'ITEM_ERROR', 'NO_ACCOUNTS'],
    ['error_provider_error', 'INSTITUTION_ERROR', 'INSTITUTION_NOT_AVAILABLE'],
  ])('is not made for %s, in the words of its error', async (username, type, code) => {
    const { data } = await failureOf(publicToken({ options: { override_username: username } }));
    expect([data.error_type, data.error_code]).toEqual([type, code]);
  });

  it('is made for anybody else, and only at an institution there is', async () => {
    expect((await publicToken({ options: { override_username: 'custom_user_of_mine', override_password: 'pass_good' } })).data.public_token).toMatch(/^public-sandbox-/);
    expect(await refusalOf(publicToken({ institution_id: 'ins_1' }))).toEqual([400, 'INVALID_INPUT', 'INVALID_INSTITUTION']);
    expect(await refusalOf(publicToken({ initial_products: ['liabilities'] }))).toEqual([400, 'INVALID_INPUT', 'INVALID_PRODUCT']);
  });
});
