import { Decimal } from 'decimal.js';
import { refusalOf } from '../support/actors/plaid-client.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { StoredItem } from '../support/fixtures/stored-item.js';
import { monthsOfPayments } from './support/months-of-payments.js';

const service = plaidServiceOfFile();

describe('/transactions/recurring/get', () => {
  const get = async (item: StoredItem, request: Record<string, unknown> = {}) =>
    (await service.plaid.transactionsRecurringGet({ access_token: item.accessToken, ...request }))
      .data;
  let item: StoredItem;
  beforeAll(async () => {
    item = await StoredItem.linked(service.api);
    await item.fetchAccounts(
      { providerAccountId: 'checking' },
      { providerAccountId: 'savings', accountType: 'depository.savings' },
    );
    await item.fetchTransactions(
      ...monthsOfPayments('wages', {
        amount: new Decimal('1500'),
        type: 'credit',
        category: 'income.wages',
      }),
      ...monthsOfPayments('gym', { amount: new Decimal('19.99') }),
      ...monthsOfPayments('paper', { amount: new Decimal('7.50') }, { last: 150 }),
    );
  });

  it('returns money in as negative and money out as positive amounts', async () => {
    const { inflow_streams: inflow, outflow_streams: outflow } = await get(item);
    expect(inflow).toMatchObject([
      {
        description: 'wages',
        frequency: 'BIWEEKLY',
        status: 'MATURE',
        is_active: true,
        last_amount: { amount: -1500, iso_currency_code: 'USD', unofficial_currency_code: null },
        average_amount: { amount: -1500 },
        personal_finance_category: { detailed: 'INCOME_WAGES' },
        transaction_ids: { length: 6 },
      },
    ]);
    expect(outflow.find(({ description }) => description === 'gym')).toMatchObject({
      last_amount: { amount: 19.99 },
      predicted_next_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  it('shows a stream that has ended as tombstoned', async () => {
    const { outflow_streams: outflow } = await get(item);
    expect(outflow.find(({ description }) => description === 'paper')).toMatchObject({
      status: 'TOMBSTONED',
      is_active: false,
      predicted_next_date: null,
    });
  });

  it('returns the streams of the accounts that are asked for, under the ids of the native API', async () => {
    const { checking = '', savings = '' } = await item.accountIds();
    expect(await get(item, { account_ids: [savings] })).toMatchObject({
      inflow_streams: [],
      outflow_streams: [],
    });
    const { outflow_streams: outflow } = await get(item, { account_ids: [checking] });
    const native = await service.api.api
      .as(await service.api.token('pocket-ledger'))
      .get(`/links/${item.linkId}/recurring`);
    const { streams } = native.body as { streams: { stream_id: string; direction: string }[] };
    expect(outflow.map(({ stream_id: id }) => id)).toEqual(
      streams.filter(({ direction }) => direction === 'out').map(({ stream_id: id }) => id),
    );
  });

  it('refuses an account of another Item, and an Item without a first fetch', async () => {
    const other = await StoredItem.linked(service.api);
    await other.fetchAccounts({ providerAccountId: 'checking' });
    const { checking = '' } = await other.accountIds();
    const refused = (of: StoredItem, request = {}) =>
      refusalOf(
        service.plaid.transactionsRecurringGet({ access_token: of.accessToken, ...request }),
      );
    expect(await refused(item, { account_ids: [checking] })).toEqual([
      400,
      expect.any(String),
      'INVALID_ACCOUNT_ID',
    ]);
    expect(await refused(other)).toEqual([400, 'ITEM_ERROR', 'PRODUCT_NOT_READY']);
  });
});
