import { existsSync } from 'node:fs';
import { Decimal } from 'decimal.js';
import { CountryCode, Products } from 'plaid';
import { PLAID_PATHS } from '../../apps/api/src/plaid/plaid-paths.js';
import { NO_NUMBERS } from '../../domain/accounts/account-numbers.js';
import { BANK, forceLink } from '../support/services/api-in-process.js';
import { OAUTH_BANK } from '../support/services/row-steps.js';
import { expectGolden, goldenFile, goldenName } from './support/golden.js';
import { monthsOfPayments } from './support/months-of-payments.js';
import { trade } from '../integration/investments/support/fetched-trades.js';
import { holding, investments } from '../support/fixtures/listed-holdings.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { cardDebt, mortgageDebt } from '../support/fixtures/sent-debt.js';
import { StoredItem } from '../support/fixtures/stored-item.js';
import { EVERY_DAY } from '../support/fixtures/stored-link.js';

const service = plaidServiceOfFile();
const US = { country_codes: [CountryCode.Us] };
const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' };
/** Webhooks have their own tests. sandbox.test.ts covers the calls that need the banks. */
const ELSEWHERE = ['/webhook_verification_key/get', '/sandbox/item/fire_webhook'];

/** An Item with data of every kind. */
let full: StoredItem;
beforeAll(async () => {
  full = await StoredItem.linked(service.api, { products: ['account_numbers', 'identity'] });
  await full.fetchAccounts(
    { providerAccountId: 'checking', name: 'Everyday Checking' },
    {
      providerAccountId: 'savings',
      name: 'Gold Card',
      accountType: 'liability.credit_card',
      mask: null,
      currency: 'EUR',
      available: null,
      current: new Decimal('120.05'),
      limit: new Decimal('5000'),
    },
  );
  await full.fetchNumbers({
    checking: {
      ...NO_NUMBERS,
      ach: [{ accountNumber: '000100020001', routingNumber: '999000014', wireRoutingNumber: null }],
      international: [{ iban: 'DE02100100109307118603', bic: 'PBNKDEFF' }],
    },
  });
  const address = {
    street: null,
    city: 'Springfield',
    region: null,
    postalCode: null,
    country: 'US',
    primary: true,
  };
  await full.fetchOwners({
    checking: [
      {
        names: ['Robin Example'],
        emails: [{ address: 'robin@example.test', primary: true }],
        phoneNumbers: [{ number: '+1 555 0100', primary: false, type: 'mobile' }],
        addresses: [address],
      },
    ],
  });
});
const token = () => ({ access_token: full.accessToken });

describe('The response shape of the official client', () => {
  it('matches /link/token/create', async () => {
    expectGolden('/link/token/create', (await service.create()).data);
    expectGolden('/link/token/create', (await service.create({ hosted_link: {} })).data, 'hosted');
  });

  it('matches /link/token/get and the exchange', async () => {
    const {
      data: { link_token: linkToken },
    } = await service.create({
      webhook: 'https://app.example/hook',
      account_filters: { depository: { account_subtypes: ['all'] } },
    });
    expectGolden(
      '/link/token/get',
      (await service.plaid.linkTokenGet({ link_token: (await service.create()).data.link_token }))
        .data,
      'unopened',
    );
    const { public_token: publicToken } = await service.link(linkToken);
    expectGolden(
      '/link/token/get',
      (await service.plaid.linkTokenGet({ link_token: linkToken })).data,
      'finished',
    );
    expectGolden(
      '/item/public_token/exchange',
      (await service.plaid.itemPublicTokenExchange({ public_token: publicToken })).data,
    );
  });

  it('matches the reads of accounts', async () => {
    expectGolden('/accounts/get', (await service.plaid.accountsGet(token())).data);
    expectGolden('/auth/get', (await service.plaid.authGet(token())).data);
    expectGolden('/identity/get', (await service.plaid.identityGet(token())).data);
  });

  it('matches /accounts/balance/get', async () => {
    const item = await StoredItem.linked(service.api);
    const waiting = service.plaid.accountsBalanceGet({ access_token: item.accessToken });
    await item.whenAsked('accounts');
    await item.fetchAccounts({ providerAccountId: 'checking', name: 'Everyday Checking' });
    expectGolden('/accounts/balance/get', (await waiting).data);
  });

  it('matches the reads of transactions', async () => {
    const { accessToken: access_token, ...item } = await StoredItem.linked(service.api).then(
      async (stored) => {
        await stored.fetchAccounts({ providerAccountId: 'checking', name: 'Everyday Checking' });
        return { accessToken: stored.accessToken, fetch: stored.fetchTransactions.bind(stored) };
      },
    );
    expectGolden(
      '/transactions/sync',
      (await service.plaid.transactionsSync({ access_token })).data,
      'not-ready',
    );
    const gone = { providerTransactionId: 'gone', date: '2026-03-05' };
    const kept = {
      providerTransactionId: 'kept',
      datetime: '2026-03-01T08:15:00.000',
      amount: new Decimal('0.10'),
      type: 'credit' as const,
    };
    await item.fetch(gone, kept, {
      providerTransactionId: 'waiting',
      pending: true,
      category: null,
      currency: 'BTC',
      date: '2026-03-03',
    });
    const { data: first } = await service.plaid.transactionsSync({ access_token });
    expectGolden('/transactions/sync', first, 'first');
    await item.fetch(
      { ...kept, description: 'Corner Cafe Ltd' },
      { providerTransactionId: 'waiting', category: null, currency: 'BTC', date: '2026-03-03' },
    );
    expectGolden(
      '/transactions/sync',
      (await service.plaid.transactionsSync({ access_token, cursor: first.next_cursor })).data,
      'later',
    );
    expectGolden(
      '/transactions/get',
      (
        await service.plaid.transactionsGet({
          access_token,
          ...YEAR,
          options: { include_original_description: true },
        })
      ).data,
    );
    expectGolden(
      '/transactions/refresh',
      (await service.plaid.transactionsRefresh({ access_token })).data,
    );
  });

  it('matches /transactions/recurring/get', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts({ providerAccountId: 'checking' });
    await item.fetchTransactions(...monthsOfPayments('rent', { amount: new Decimal('750.10') }));
    const { data } = await service.plaid.transactionsRecurringGet({
      access_token: item.accessToken,
    });
    const withoutDays = JSON.stringify(data).replaceAll(/"\d{4}-\d\d-\d\d"/g, '"<day>"');
    expectGolden('/transactions/recurring/get', JSON.parse(withoutDays));
  });

  it('matches the operations on investments', async () => {
    const item = await StoredItem.linked(service.api, { products: ['investments'] });
    await item.fetchAccounts({
      providerAccountId: 'checking',
      name: 'Brokerage',
      accountType: 'investment.brokerage',
    });
    await item.fetchInvestments({
      ...investments([holding('a', { cost: '900', priceAsOf: '2026-03-05' })], ['checking'], null),
      trades: { transactions: [trade('b')], window: EVERY_DAY },
    });
    const access_token = item.accessToken;
    expectGolden(
      '/investments/holdings/get',
      (await service.plaid.investmentsHoldingsGet({ access_token })).data,
    );
    expectGolden(
      '/investments/transactions/get',
      (await service.plaid.investmentsTransactionsGet({ access_token, ...YEAR })).data,
    );
    expectGolden(
      '/investments/refresh',
      (await service.plaid.investmentsRefresh({ access_token })).data,
    );
  });

  it('matches /liabilities/get', async () => {
    const item = await StoredItem.linked(service.api, { products: ['liabilities'] });
    await item.fetchAccounts(
      { providerAccountId: 'checking', name: 'Card', accountType: 'liability.credit_card' },
      { providerAccountId: 'savings', name: 'Home', accountType: 'liability.mortgage' },
    );
    await item.fetchLiabilities(cardDebt('checking'), mortgageDebt('savings'));
    expectGolden(
      '/liabilities/get',
      (await service.plaid.liabilitiesGet({ access_token: item.accessToken })).data,
    );
  });

  it('matches the operations on an item', async () => {
    expectGolden('/item/get', (await service.plaid.itemGet(token())).data);
    const { accessToken, linkId } = await StoredItem.linked(service.api);
    await forceLink(service.api, linkId, { state: 'error', errorCode: 'auth_expired' });
    expectGolden(
      '/item/get',
      (await service.plaid.itemGet({ access_token: accessToken })).data,
      'broken',
    );
    const { access_token: ours } = await service.item();
    expectGolden(
      '/item/webhook/update',
      (
        await service.plaid.itemWebhookUpdate({
          access_token: ours,
          webhook: 'https://app.example/hook',
        })
      ).data,
    );
    expectGolden(
      '/sandbox/item/reset_login',
      (await service.plaid.sandboxItemResetLogin({ access_token: accessToken })).data,
    );
    const { data } = await service.plaid.itemAccessTokenInvalidate({ access_token: accessToken });
    expectGolden('/item/access_token/invalidate', data);
    expectGolden(
      '/item/remove',
      (await service.plaid.itemRemove({ access_token: data.new_access_token })).data,
    );
  });

  it('matches the institutions', async () => {
    const more = {
      include_optional_metadata: true,
      include_status: true,
      include_auth_metadata: true,
    };
    expectGolden(
      '/institutions/get_by_id',
      (await service.plaid.institutionsGetById({ institution_id: BANK, ...US })).data,
    );
    expectGolden(
      '/institutions/get_by_id',
      (
        await service.plaid.institutionsGetById({
          institution_id: OAUTH_BANK,
          ...US,
          options: more,
        })
      ).data,
      'whole',
    );
    expectGolden(
      '/institutions/get',
      (await service.plaid.institutionsGet({ count: 2, offset: 0, ...US })).data,
    );
    expectGolden(
      '/institutions/search',
      (await service.plaid.institutionsSearch({ query: 'oauth', products: [Products.Auth], ...US }))
        .data,
    );
  });
});

it('The golden files cover every call of the compatibility layer', () => {
  const kept = (path: string) =>
    ['', 'first'].some((variant) => existsSync(goldenFile(goldenName(path, variant)))) ||
    existsSync(goldenFile(goldenName(path, 'finished')));
  expect([...PLAID_PATHS].filter((path) => !ELSEWHERE.includes(path) && !kept(path))).toEqual([]);
});
