import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import type { Account, Row } from '../../../simulators/vendors/ledger/ledger.types.js';
import { runScript } from '../../../simulators/vendors/ledger/scripts/run-script.js';
import { createFdxClient, type FdxClient } from '../../support/actors/fdx-client.js';
import { representatives } from '../../support/runner/representatives.js';

const NOW = new Date('2026-11-20T15:00:00.000Z');

/** The fields of a row in a listing of FDX, in the words of the ledger. */
interface ReadRow {
  id: string;
  amount: string;
  instant: string;
  description: string;
  isPending: boolean;
}

const ofLedger = ({ id, amount, instant, description, status }: Row): ReadRow => ({
  id,
  amount,
  instant,
  description,
  isPending: status === 'pending',
});

/**
 * Amounts are extracted from the text of the bodies, because `JSON.parse` would convert them to
 * doubles.
 */
function ofListing(items: Record<string, unknown>[], texts: readonly string[]): ReadRow[] {
  const amounts = texts.flatMap((text) =>
    [...text.matchAll(/"amount":(-?[\d.]+)[,}]/g)].map(([, amount]) => amount),
  );
  return items.map((item, index) => ({
    id: String(item['transactionId']),
    amount: `${item['debitCreditMemo'] === 'DEBIT' ? '-' : ''}${amounts[index]}`,
    instant: String(item['postedTimestamp'] ?? item['transactionTimestamp']),
    description: String(item['description']),
    isPending: item['status'] !== 'POSTED',
  }));
}

describe('The FDX resource server', () => {
  const ledger = new Ledger({ now: NOW });
  let bank: FdxBank;

  beforeAll(async () => {
    bank = await createFdxBank({ ledger });
  });
  beforeEach(() => ledger.reset());
  afterAll(() => bank.close());

  async function logIn(institution = 'first-fdx') {
    const client = await createFdxClient(bank, institution);
    const { access_token: token } = await client.logIn();
    return { client, token };
  }
  const accountsAt = (bankId: string): Account[] =>
    ledger.connectionsAt('fdx', 'trial').find((found) => found.bank.id === bankId)?.accounts ?? [];

  async function expectSameRows(client: FdxClient, token: string, accounts: readonly Account[]) {
    for (const account of accounts) {
      const path = `/accounts/${account.id}/transactions`;
      const { items, texts } = await client.list(token, path, 'transactions');
      expect(ofListing(items, texts)).toEqual(account.rows.map(ofLedger).reverse());
    }
  }

  it.each([
    ['first-fdx', 'harbour'],
    ['meridian-fdx', 'meridian'],
    ['plain-fdx', 'prairie'],
    ['mtls-fdx', 'meridian'],
  ])('returns the accounts and rows of the ledger at %s, one by one', async (id, bankId) => {
    const { client, token } = await logIn(id);
    // Miles have no ISO 4217 code, so FDX has no field for them.
    const accounts = accountsAt(bankId).filter(({ currency }) => currency.length === 3);
    expect(accounts.length).toBeGreaterThan(1);
    const { items } = await client.list(token, '/accounts', 'accounts', 2);
    expect(items.map(({ accountId }) => accountId)).toEqual(accounts.map((account) => account.id));
    expect(items).toMatchObject(
      accounts.map(({ mask, name, currency }) => ({
        accountNumberDisplay: mask,
        productName: name,
        status: 'OPEN',
        currency: { currencyCode: currency },
      })),
    );
    await expectSameRows(client, token, accounts);
  });

  // The ledger runs scripts; rows that change, with other ids and without an id are presented differently.
  const presented = representatives<[string, Record<string, unknown>]>(
    [
      ['post_pending', { account: 'trial-harbour-1' }],
      ['post_pending', { account: 'trial-harbour-3', amount: '-71.99' }],
      ['renew_ids', { account: 'trial-harbour-1', from: '2026-10-01', to: '2026-11-10' }],
      ['renew_all_ids', {}],
      ['late_row', { account: 'trial-harbour-2', daysAgo: 9 }],
      ['withdraw_row', { account: 'trial-harbour-1' }],
      ['add_row', { account: 'trial-harbour-1', status: 'pending' }],
      ['add_row', { account: 'trial-harbour-1', isAnonymous: true }],
    ],
    ([name, params]) =>
      ['post_pending', 'renew_all_ids', 'withdraw_row'].includes(name) || 'isAnonymous' in params,
  );
  it.each(presented)(
    'returns the rows of the ledger after the script %s %j',
    async (name, params) => {
      const { client, token } = await logIn();
      const before = JSON.stringify(accountsAt('harbour'));
      runScript(ledger, name, params);
      expect(JSON.stringify(accountsAt('harbour'))).not.toBe(before);
      await expectSameRows(client, token, accountsAt('harbour'));
    },
  );

  it('returns other ids in each listing, but the same in all its pages, after renew_ids_always', async () => {
    const { client, token } = await logIn();
    runScript(ledger, 'renew_ids_always');
    const listIds = async () => {
      const path = '/accounts/trial-harbour-1/transactions';
      const { items } = await client.list(token, path, 'transactions', 50);
      return items.map((item) => item['transactionId']);
    };
    const before = await listIds();
    const rows = accountsAt('harbour')[0]?.rows ?? [];
    expect(before).toEqual(rows.map(({ id }) => id).reverse());
    const after = await listIds();
    expect(after).toHaveLength(before.length);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
  });

  it('returns category, type and balances of each account by their names in FDX 6', async () => {
    const { client, token } = await logIn();
    const detailsOf = async (account: string) =>
      (await client.get(token, `/accounts/${account}`)).json;
    const [checking, savings, card, loan] = accountsAt('harbour').map(({ balances }) => balances);
    expect(await detailsOf('trial-harbour-1')).toMatchObject({
      accountCategory: 'DEPOSIT_ACCOUNT',
      accountType: 'CHECKING',
      currentBalance: Number(checking?.current),
      availableBalance: Number(checking?.available),
      balanceAsOf: NOW.toISOString(),
    });
    expect(await detailsOf('trial-harbour-2')).toMatchObject({
      accountCategory: 'DEPOSIT_ACCOUNT',
      accountType: 'SAVINGS',
      currentBalance: Number(savings?.current),
    });
    // An amount owed is positive here, and negative in the ledger.
    expect(await detailsOf('trial-harbour-3')).toMatchObject({
      accountCategory: 'LOC_ACCOUNT',
      accountType: 'CREDITCARD',
      currentBalance: -Number(card?.current),
      availableCredit: Number(card?.available),
      creditLine: Number(card?.limit),
    });
    expect(await detailsOf('trial-harbour-4')).toMatchObject({
      accountCategory: 'LOAN_ACCOUNT',
      accountType: 'AUTOLOAN',
      principalBalance: -Number(loan?.current),
      interestRateType: 'FIXED',
    });
  });

  it('returns balances and amounts of 19 digits digit by digit', async () => {
    const { client, token } = await logIn();
    const account = 'trial-harbour-1';
    runScript(ledger, 'add_row', { account, amount: '-9007199254740993.123' });
    runScript(ledger, 'change_balance', { account, current: '1234567890123456.789' });
    const rows = await client.get(token, `/accounts/${account}/transactions?limit=1`);
    expect(rows.text).toContain('"amount":9007199254740993.123}');
    expect(rows.text).not.toContain('"amount":"');
    const { text } = await client.get(token, `/accounts/${account}`);
    expect(text).toContain('"currentBalance":1234567890123456.789,');
  });

  it('returns pending rows without a time of posting, as PENDING or, on cards, as MEMO', async () => {
    const { client, token } = await logIn();
    for (const [account, status] of [
      ['trial-harbour-1', 'PENDING'],
      ['trial-harbour-3', 'MEMO'],
    ] as const) {
      runScript(ledger, 'add_row', { account, status: 'pending', amount: '-1.10' });
      const { items } = await client.list(
        token,
        `/accounts/${account}/transactions`,
        'transactions',
      );
      const pending = items.filter((item) => item['status'] !== 'POSTED');
      expect(pending.length).toBeGreaterThan(0);
      expect(new Set(pending.map((item) => item['status']))).toEqual(new Set([status]));
      expect(pending.filter((item) => 'postedTimestamp' in item)).toEqual([]);
    }
  });

  it('returns the rows of a window of days, both ends included', async () => {
    const { client, token } = await logIn();
    const window = 'startTime=2026-10-05&endTime=2026-10-20';
    const path = `/accounts/trial-harbour-1/transactions?${window}`;
    const { items, texts } = await client.list(token, path, 'transactions', 3);
    const rows = accountsAt('harbour')[0]?.rows ?? [];
    const inside = rows.filter(({ day }) => day >= '2026-10-05' && day <= '2026-10-20');
    expect(inside.length).toBeGreaterThan(3);
    expect(ofListing(items, texts)).toEqual(inside.map(ofLedger).reverse());
  });

  it('returns pages of the requested size up to its own limit, each with the offset of the next', async () => {
    const { client, token } = await logIn();
    const path = '/accounts/trial-harbour-1/transactions';
    const { page, transactions } = (await client.get(token, `${path}?limit=7`)).json;
    expect(transactions).toHaveLength(7);
    expect(page).toMatchObject({
      nextOffset: expect.any(String),
      totalElements: expect.any(Number),
    });
    expect((await client.get(token, `${path}?limit=5000`)).json.transactions).toHaveLength(50);
    const all = (await client.get(token, '/accounts')).json;
    expect(all.page).toEqual({ totalElements: 4 });
  });

  it('returns the owner of an account, and the customer', async () => {
    const { client, token } = await logIn();
    const contacts = {
      emails: ['tilda@trial.example'],
      addresses: [{ line1: '12 Harbour Street', region: 'ME', postalCode: '04101', country: 'US' }],
      telephones: [{ type: 'CELL', country: '1', number: '2025550143' }],
    };
    expect((await client.get(token, '/accounts/trial-harbour-1/contact')).json).toMatchObject({
      holders: [{ relationship: 'PRIMARY', name: { first: 'Tilda', last: 'Trial' } }],
      ...contacts,
    });
    expect((await client.get(token, '/customers/current')).json).toMatchObject({
      customerId: 'trial',
      ...contacts,
    });
  });

  it('returns the numbers of deposit accounts that US payments reach', async () => {
    const { client, token } = await logIn();
    const [checking] = accountsAt('harbour');
    const { json } = await client.get(token, '/accounts/trial-harbour-1/payment-networks');
    expect(json.paymentNetworks[0]).toEqual({
      bankId: checking?.routingNumber,
      identifier: checking?.accountNumber,
      identifierType: 'ACCOUNT_NUMBER',
      type: 'US_ACH',
      transferIn: true,
      transferOut: true,
    });
    const card = await client.get(token, '/accounts/trial-harbour-3/payment-networks');
    expect({ status: card.status, code: card.json.code }).toEqual({ status: 404, code: 1107 });
  });

  it('lists accounts of every other category at wealth-fdx, some without details', async () => {
    const { client, token } = await logIn('wealth-fdx');
    const { accounts } = (await client.get(token, '/accounts')).json;
    expect(
      accounts.map(({ accountCategory }: { accountCategory: string }) => accountCategory),
    ).toEqual([
      'DEPOSIT_ACCOUNT',
      'DEPOSIT_ACCOUNT',
      'LOC_ACCOUNT',
      'LOAN_ACCOUNT',
      'INVESTMENT_ACCOUNT',
      'INVESTMENT_ACCOUNT',
      'INVESTMENT_ACCOUNT',
      'LOAN_ACCOUNT',
      'LOAN_ACCOUNT',
      'LOC_ACCOUNT',
      'ANNUITY_ACCOUNT',
      'INSURANCE_ACCOUNT',
      'COMMERCIAL_ACCOUNT',
    ]);
    const brokerage = await client.get(token, '/accounts/trial-brokerage');
    expect(brokerage.text).toContain('"currentValue":1234567890123456.789,');
    const rows = await client.get(token, '/accounts/trial-brokerage/transactions');
    expect(rows.json.transactions).toEqual([]);
    const annuity = await client.get(token, '/accounts/trial-annuity');
    expect({ status: annuity.status, code: annuity.json.code }).toEqual({ status: 422, code: 704 });
  });
});
