import { Decimal } from 'decimal.js';
import { InvestmentTransactionSubtype, InvestmentTransactionType } from 'plaid';
import type { FetchedInvestmentTransaction } from '../../domain/investments/fetched-investment-transaction.js';
import { grantProducts } from '../support/services/api-in-process.js';
import { SHARE, trade } from '../integration/investments/support/fetched-trades.js';
import { refusalOf } from '../support/actors/plaid-client.js';
import { security } from '../support/fixtures/listed-holdings.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { StoredItem } from '../support/fixtures/stored-item.js';
import { EVERY_DAY } from '../support/fixtures/stored-link.js';

const service = plaidServiceOfFile();
const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' };

const call = ({ accessToken }: StoredItem, request: Record<string, unknown> = {}) =>
  service.plaid.investmentsTransactionsGet({ access_token: accessToken, ...YEAR, ...request });
const get = async (...request: Parameters<typeof call>) => (await call(...request)).data;

async function newItem(): Promise<StoredItem> {
  const item = await StoredItem.linked(service.api, { products: ['investments'] });
  await item.fetchAccounts(
    { providerAccountId: 'checking', accountType: 'investment.brokerage' },
    { providerAccountId: 'savings', accountType: 'investment.retirement' },
  );
  return item;
}

const fetchTrades = (item: StoredItem, ...transactions: FetchedInvestmentTransaction[]) =>
  item.fetchInvestments({
    accounts: [],
    holdings: [],
    trades: { transactions, window: EVERY_DAY },
  });

async function itemWith(...trades: FetchedInvestmentTransaction[]): Promise<StoredItem> {
  const item = await newItem();
  await fetchTrades(item, ...trades);
  return item;
}

/** A movement of cash alone. */
const cash = (
  type: FetchedInvestmentTransaction['type'],
  amount: string | null,
  fields: Partial<FetchedInvestmentTransaction> = {},
): Partial<FetchedInvestmentTransaction> => ({
  type,
  security: null,
  quantity: null,
  price: null,
  gross: null,
  fees: null,
  amount: amount === null ? null : new Decimal(amount),
  ...fields,
});

describe('/investments/transactions/get', () => {
  it('returns a purchase with its security, and all investment accounts', async () => {
    const item = await itemWith(
      trade('a', { taxes: new Decimal('1.05'), datetime: '2026-03-04T14:31:07.250' }),
    );
    const { checking, savings } = await item.accountIds();
    const { request_id: _, ...data } = await get(item);
    const [{ security_id: securityId } = { security_id: '' }] = data.securities;
    expect(data).toEqual({
      accounts: [
        expect.objectContaining({ account_id: checking, type: 'investment', subtype: 'brokerage' }),
        expect.objectContaining({ account_id: savings, subtype: 'retirement' }),
      ],
      investment_transactions: [
        {
          investment_transaction_id: expect.stringMatching(/^itx_/),
          cancel_transaction_id: null,
          account_id: checking,
          security_id: securityId,
          date: '2026-03-04',
          transaction_datetime: '2026-03-04T14:31:07.250Z',
          name: 'Bought Example Total Market',
          quantity: 12.5,
          amount: 1268.7,
          price: 101.1,
          fees: 6,
          type: 'buy',
          subtype: 'buy',
          iso_currency_code: 'USD',
          unofficial_currency_code: null,
        },
      ],
      securities: [
        expect.objectContaining({
          security_id: expect.stringMatching(/^sct_/),
          ticker_symbol: 'EXTMX',
          type: 'mutual fund',
          close_price: null,
        }),
      ],
      total_investment_transactions: 1,
      item: expect.objectContaining({ item_id: item.linkId, error: null }),
    });
  });

  it.each<[string, Partial<FetchedInvestmentTransaction>, [string, string, number, number]]>([
    ['a purchase', {}, ['buy', 'buy', 1268.7, 12.5]],
    ['a purchase to cover', { subtype: 'buy_to_cover' }, ['buy', 'buy to cover', 1268.7, 12.5]],
    [
      'a reinvestment, by the value of what it bought',
      { subtype: 'reinvestment', amount: new Decimal(0), fees: null },
      ['buy', 'dividend reinvestment', 1263.75, 12.5],
    ],
    [
      'a sale',
      { type: 'sell', quantity: new Decimal('-12.5'), amount: new Decimal('1258.8') },
      ['sell', 'sell', -1258.8, -12.5],
    ],
    [
      'a short sale',
      {
        type: 'sell',
        subtype: 'sell_short',
        quantity: new Decimal('-12.5'),
        amount: new Decimal('1258.8'),
      },
      ['sell', 'sell short', -1258.8, -12.5],
    ],
    ['a dividend', cash('dividend', '31.20'), ['cash', 'dividend', -31.2, 0]],
    [
      'a long-term gain',
      cash('dividend', '31.20', { subtype: 'capital_gain_long' }),
      ['cash', 'long-term capital gain', -31.2, 0],
    ],
    [
      'a short-term gain',
      cash('dividend', '31.20', { subtype: 'capital_gain_short' }),
      ['cash', 'short-term capital gain', -31.2, 0],
    ],
    ['interest', cash('interest', '0.07'), ['cash', 'interest', -0.07, 0]],
    [
      'interest of a loan on margin',
      cash('fee', '-4.10', { subtype: 'margin_interest' }),
      ['fee', 'margin expense', 4.1, 0],
    ],
    ['a fee', cash('fee', '-25'), ['fee', 'miscellaneous fee', 25, 0]],
    [
      'a fee of the account',
      cash('fee', '-25', { subtype: 'account_fee' }),
      ['fee', 'account fee', 25, 0],
    ],
    ['a tax', cash('tax', '-3'), ['cash', 'tax', 3, 0]],
    ['a deposit', cash('deposit', '500'), ['cash', 'deposit', -500, 0]],
    [
      'a contribution',
      cash('deposit', '500', { subtype: 'contribution' }),
      ['cash', 'contribution', -500, 0],
    ],
    ['a withdrawal', cash('withdrawal', '-80'), ['cash', 'withdrawal', 80, 0]],
    [
      'a transfer of shares',
      { type: 'transfer', amount: null, fees: null },
      ['transfer', 'transfer', 0, 12.5],
    ],
    ['a split', { type: 'split', amount: null, fees: null }, ['transfer', 'split', 0, 12.5]],
    [
      'an exercise',
      { type: 'other', subtype: 'exercise', amount: null, fees: null },
      ['transfer', 'exercise', 0, 12.5],
    ],
    [
      'an expiry',
      { type: 'other', subtype: 'expire', amount: null, fees: null },
      ['transfer', 'expire', 0, 12.5],
    ],
    [
      'a return of capital',
      cash('other', '12', { subtype: 'return_of_capital' }),
      ['cash', 'return of principal', -12, 0],
    ],
    [
      'an adjustment',
      cash('other', '0.02', { subtype: 'adjustment' }),
      ['cash', 'adjustment', -0.02, 0],
    ],
    ['other money in', cash('other', '7'), ['cash', 'deposit', -7, 0]],
    ['other money out', cash('other', '-7'), ['cash', 'withdrawal', 7, 0]],
    ['another movement without money', cash('other', null), ['transfer', 'transfer', 0, 0]],
    [
      'a subtype that Plaid does not know',
      cash('interest', '1', { subtype: 'municipal' }),
      ['cash', 'interest', -1, 0],
    ],
  ])('names %s as Plaid does, with money out positive', async (_, fields, expected) => {
    const item = await itemWith(trade('a', fields));
    const [shown] = (await get(item)).investment_transactions;
    expect([shown?.type, shown?.subtype, shown?.amount, shown?.quantity]).toEqual(expected);
    expect(Object.values(InvestmentTransactionType)).toContain(shown?.type);
    expect(Object.values(InvestmentTransactionSubtype)).toContain(shown?.subtype);
  });

  it('counts options, not contracts', async () => {
    const option = {
      underlyingSymbol: 'EXC',
      kind: 'put' as const,
      expiresOn: '2026-06-19',
      strikePrice: new Decimal('50'),
      contractSize: null,
    };
    const call = security({ symbol: 'EXC260619P00050000', type: 'derivative', option });
    const item = await itemWith(
      trade('a', {
        security: call,
        quantity: new Decimal('3'),
        price: new Decimal('5.10'),
        gross: new Decimal('1530'),
        amount: new Decimal('-1534.95'),
      }),
      trade('b', {
        ...cash('other', null, { subtype: 'expire' }),
        security: call,
        quantity: new Decimal('-3'),
        date: '2026-06-19',
      }),
    );
    expect((await get(item)).investment_transactions).toMatchObject([
      { subtype: 'expire', quantity: -300, price: 0 },
      { subtype: 'buy', quantity: 300, price: 5.1 },
    ]);
  });

  it('shows pending movements of cash, and other movements once they are posted', async () => {
    const item = await itemWith(
      trade('a', { pending: true, description: 'Order' }),
      trade('b', { ...cash('dividend', '31.20'), pending: true, description: 'Dividend' }),
      trade('c', { ...cash('withdrawal', '-80'), pending: true, description: 'Wire' }),
    );
    const shown = async () => {
      const { investment_transactions: rows, total_investment_transactions: total } =
        await get(item);
      expect(total).toBe(rows.length);
      return rows.map(({ name, type, subtype }) => [name, type, subtype]).sort();
    };
    expect(await shown()).toEqual([
      ['Dividend', 'cash', 'pending credit'],
      ['Wire', 'cash', 'pending debit'],
    ]);
    await fetchTrades(
      item,
      trade('a', { description: 'Order' }),
      trade('b', { ...cash('dividend', '31.20'), description: 'Dividend' }),
    );
    expect(await shown()).toEqual([
      ['Dividend', 'cash', 'dividend'],
      ['Order', 'buy', 'buy'],
    ]);
  });

  it('returns pages of the days and accounts that are asked for, newest first', async () => {
    const item = await itemWith(
      ...[1, 2, 3, 4, 5].map((day) =>
        trade(`${day}`, { date: `2026-03-0${day}`, description: `day ${day}` }),
      ),
      trade('b', {
        providerAccountId: 'savings',
        security: SHARE,
        date: '2026-03-03',
        description: 'share',
      }),
    );
    const { checking = '', savings = '' } = await item.accountIds();
    const page = async (request: Record<string, unknown>) => {
      const data = await get(item, request);
      return [
        data.total_investment_transactions,
        ...data.investment_transactions.map(({ name }) => name),
      ];
    };
    const options = { account_ids: [checking] };
    expect(await page({ options: { ...options, count: 2 } })).toEqual([5, 'day 5', 'day 4']);
    expect(await page({ options: { ...options, count: 2, offset: 4 } })).toEqual([5, 'day 1']);
    expect(await page({ options: { ...options, offset: 9 } })).toEqual([5]);
    expect(await page({ start_date: '2026-03-02', end_date: '2026-03-03', options })).toEqual([
      2,
      'day 3',
      'day 2',
    ]);
    const chosen = await get(item, { options: { account_ids: [savings] } });
    expect(chosen.accounts.map(({ account_id: id }) => id)).toEqual([savings]);
    expect(chosen.securities.map(({ ticker_symbol: symbol }) => symbol)).toEqual(['EXC']);
    expect(await refusalOf(call(item, { options: { account_ids: ['acc_unknown'] } }))).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_ACCOUNT_ID',
    ]);
  });

  it.each([
    ['a day that does not exist', { end_date: '2026-02-30' }],
    ['a start after the end', { start_date: '2026-05-02', end_date: '2026-05-01' }],
    ['a count of 0', { options: { count: 0 } }],
    ['a count of 501', { options: { count: 501 } }],
    ['a negative offset', { options: { offset: -1 } }],
  ])('refuses %s', async (_, request) => {
    const item = await newItem();
    expect(await refusalOf(call(item, request))).toEqual([400, 'INVALID_REQUEST', 'INVALID_FIELD']);
  });

  it('waits for the first fetch, unless the client prefers a webhook', async () => {
    const item = await newItem();
    expect(await refusalOf(call(item, { options: { async_update: true } }))).toEqual([
      400,
      'ITEM_ERROR',
      'PRODUCT_NOT_READY',
    ]);
    const waiting = get(item);
    await item.whenAsked('investments');
    await fetchTrades(item, trade('a'));
    expect((await waiting).total_investment_transactions).toBe(1);
    const later = await get(item, { options: { async_update: true } });
    expect(later.total_investment_transactions).toBe(1);
  });

  it('refuses an Item without an open investment account', async () => {
    const item = await StoredItem.linked(service.api, { products: ['investments'] });
    await item.fetchAccounts({ providerAccountId: 'checking' });
    await fetchTrades(item);
    expect(await refusalOf(call(item))).toEqual([400, 'ITEM_ERROR', 'NO_INVESTMENT_ACCOUNTS']);
  });
});

describe('/investments/refresh', () => {
  it('requests a fetch', async () => {
    const item = await newItem();
    await service.plaid.investmentsRefresh({ access_token: item.accessToken });
    await item.whenAsked('investments');
  });

  it('refuses an Item without the product, before it looks at the permission', async () => {
    const item = await StoredItem.linked(service.api);
    const refused = service.plaid.investmentsRefresh({ access_token: item.accessToken });
    expect(await refusalOf(refused)).toEqual([400, 'ITEM_ERROR', 'PRODUCTS_NOT_SUPPORTED']);
    await grantProducts(service.api, item.linkId, ['investments']);
    await service.plaid.investmentsRefresh({ access_token: item.accessToken });
  });
});
