// cspell:ignore EXMP
import { Products, type PlaidApi } from 'plaid';
import { addDays } from '../../domain/api/timestamps.js';
import { eventually } from '../support/assertions/eventually.js';
import { failureOf, plaidClient } from '../support/actors/plaid-client.js';
import { shareService } from '../support/fixtures/shared-service.js';

let plaid: PlaidApi;
beforeAll(async () => {
  const { info, app } = await shareService();
  const { client_id: clientId, client_secret: secret } = app.sandbox;
  plaid = plaidClient(info.base_url, { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret });
});

const createWith = (password: string, products = [Products.Transactions]) =>
  plaid.sandboxPublicTokenCreate({
    institution_id: 'ins_109508',
    initial_products: products,
    options: { override_username: 'user_custom', override_password: password },
  });

/** An Item of Plaid's custom user; returns its access token. */
async function itemWith(accounts: readonly object[], products: Products[]): Promise<string> {
  const { data } = await createWith(JSON.stringify({ override_accounts: accounts }), products);
  return (await plaid.itemPublicTokenExchange({ public_token: data.public_token })).data
    .access_token;
}

interface Days {
  yesterday: string;
  today: string;
  tomorrow: string;
}

function daysNow(): Days {
  const today = new Date().toISOString().slice(0, 10);
  return { yesterday: addDays(today, -1), today, tomorrow: addDays(today, 1) };
}

const share = {
  ticker_symbol: 'EXMP',
  name: 'Example Systems',
  isin: 'US0378331005',
  type: 'equity',
};
const option = { ticker_symbol: 'F301108C00005000' };
const brokerage = ({ yesterday, today }: Days) => ({
  type: 'investment',
  subtype: 'brokerage',
  starting_balance: 1_250,
  meta: { name: 'My Broker', mask: '9001' },
  holdings: [
    {
      institution_price: 40.125,
      institution_price_as_of: yesterday,
      cost_basis: 90.5,
      quantity: 2.5,
      currency: 'USD',
      security: share,
    },
    { institution_price: 5.9, quantity: 20, currency: 'USD', security: option },
  ],
  investment_transactions: {
    investment_transactions: [
      {
        date: yesterday,
        name: 'Bought Example Systems',
        quantity: 2.5,
        price: 36.2,
        fees: 1.25,
        type: 'buy',
        currency: 'USD',
        security: share,
      },
      { date: today, name: 'Sold', quantity: -1, price: 40, type: 'sell', security: share },
      { date: today, name: 'Dividend', quantity: -1, price: 3.5, type: 'cash', security: share },
      { date: today, name: 'Custody', quantity: 0, price: 0, fees: 2, type: 'fee' },
    ],
  },
});
const card = ({ yesterday, today, tomorrow }: Days) => ({
  type: 'credit',
  subtype: 'credit card',
  starting_balance: 1_245.67,
  force_available_balance: 8_754.33,
  meta: { name: 'My Card', official_name: 'Platinum', limit: 10_000, mask: '9002' },
  transactions: [
    { date_transacted: yesterday, date_posted: today, amount: 87.43, description: 'Books' },
    { date_transacted: today, date_posted: today, amount: -20, description: 'Refund' },
    { date_transacted: today, date_posted: tomorrow, amount: 5, description: 'Coffee' },
  ],
  liability: {
    type: 'credit',
    purchase_apr: 16.99,
    cash_apr: 24.99,
    balance_transfer_apr: 18.99,
    special_apr: 0,
    last_payment_amount: 250,
    minimum_payment_amount: 35,
    is_overdue: true,
  },
});
const LOAN = {
  type: 'loan',
  subtype: 'student',
  liability: {
    type: 'student',
    origination_date: '2022-01-01',
    principal: 45_123,
    nominal_apr: 4.23,
    guarantor: 'not shown',
  },
};
const CHECKING = {
  type: 'depository',
  subtype: 'checking',
  currency: 'USD',
  numbers: { account: '1234567890', ach_routing: '122105155' },
  identity: { names: ['Ada Example'], emails: [{ data: 'ada@app.example', primary: true }] },
  inflow_model: { type: 'monthly-income', income_amount: 5_000 },
};

const ROW = {
  date_transacted: '2026-03-01',
  date_posted: '2026-03-02',
  amount: 87.43,
  description: 'Books',
};

describe('The custom user of /sandbox/public_token/create', () => {
  it('has a portfolio, a card and a student loan with exactly the stated figures', async () => {
    const days = daysNow();
    const { yesterday, today } = days;
    const token = await itemWith(
      [brokerage(days), card(days), LOAN],
      [Products.Transactions, Products.Investments, Products.Liabilities],
    );
    const request = { access_token: token };
    const { accounts } = (await plaid.accountsGet(request)).data;
    expect(
      accounts.map(({ account_id: _, balances, ...account }) => ({ ...account, ...balances })),
    ).toMatchObject([
      { name: 'My Broker', mask: '9001', type: 'investment', subtype: 'brokerage', current: 1_250 },
      {
        name: 'My Card',
        mask: '9002',
        type: 'credit',
        subtype: 'credit card',
        current: 1_245.67,
        available: 8_754.33,
        limit: 10_000,
      },
      { name: 'student 3', mask: '2222', type: 'loan', subtype: 'student', current: null },
    ]);
    const [broker, creditCard, loan] = accounts.map(({ account_id: id }) => id);

    const added = await eventually(
      async () => {
        const rows = (await plaid.transactionsSync(request)).data.added;
        expect(rows).toHaveLength(3);
        return rows;
      },
      { every: 500 },
    );
    const posted = { account_id: creditCard, pending: false, iso_currency_code: 'USD' };
    expect(added.sort((one, other) => other.amount - one.amount)).toMatchObject([
      { ...posted, name: 'Books', amount: 87.43, date: today, authorized_date: yesterday },
      { ...posted, name: 'Coffee', amount: 5, date: today, pending: true },
      { ...posted, name: 'Refund', amount: -20, date: today, authorized_date: today },
    ]);

    const { holdings, securities } = (await plaid.investmentsHoldingsGet(request)).data;
    const idOf = (symbol: string) =>
      securities.find(({ ticker_symbol: found }) => found === symbol)?.security_id;
    expect(holdings.sort((one, other) => one.quantity - other.quantity)).toMatchObject([
      {
        account_id: broker,
        security_id: idOf(share.ticker_symbol),
        institution_price: 40.125,
        institution_price_as_of: yesterday,
        institution_value: 100.31,
        cost_basis: 90.5,
        quantity: 2.5,
      },
      {
        security_id: idOf(option.ticker_symbol),
        institution_price: 5.9,
        institution_value: 118,
        cost_basis: null,
        quantity: 20,
      },
    ]);
    expect(securities).toContainEqual(
      expect.objectContaining({ name: 'Example Systems', isin: 'US0378331005', type: 'equity' }),
    );

    const { investment_transactions: trades } = (
      await plaid.investmentsTransactionsGet({ ...request, start_date: yesterday, end_date: today })
    ).data;
    expect(trades.sort((one, other) => other.amount - one.amount)).toMatchObject([
      {
        account_id: broker,
        security_id: idOf(share.ticker_symbol),
        name: 'Bought Example Systems',
        type: 'buy',
        date: yesterday,
        quantity: 2.5,
        price: 36.2,
        fees: 1.25,
        amount: 91.75,
      },
      { name: 'Custody', type: 'fee', quantity: 0, price: 0, fees: 2, amount: 2 },
      { name: 'Dividend', type: 'cash', quantity: -1, price: 3.5, amount: -3.5 },
      { name: 'Sold', type: 'sell', date: today, quantity: -1, price: 40, amount: -40 },
    ]);

    const { liabilities } = (await plaid.liabilitiesGet(request)).data;
    const apr = (type: string, percentage: number) => ({
      apr_type: type,
      apr_percentage: percentage,
      balance_subject_to_apr: null,
      interest_charge_amount: null,
    });
    expect(liabilities).toMatchObject({
      credit: [
        {
          account_id: creditCard,
          aprs: [
            apr('purchase_apr', 16.99),
            apr('cash_apr', 24.99),
            apr('balance_transfer_apr', 18.99),
            apr('special', 0),
          ],
          last_payment_amount: 250,
          minimum_payment_amount: 35,
          is_overdue: true,
        },
      ],
      student: [
        {
          account_id: loan,
          interest_rate_percentage: 4.23,
          origination_date: '2022-01-01',
          origination_principal_amount: 45_123,
        },
      ],
    });
  });

  it('has the stated numbers and owner', async () => {
    const token = await itemWith([CHECKING], [Products.Auth, Products.Identity]);
    const { numbers } = (await plaid.authGet({ access_token: token })).data;
    expect(numbers.ach).toMatchObject([{ account: '1234567890', routing: '122105155' }]);
    const { accounts } = (await plaid.identityGet({ access_token: token })).data;
    expect(accounts).toMatchObject([
      {
        mask: '7890',
        owners: [{ names: ['Ada Example'], emails: [{ data: 'ada@app.example', primary: true }] }],
      },
    ]);
  });

  it('has generated accounts where its password states none', async () => {
    const tokens = await Promise.all(['pass_good', '{}'].map((password) => createWith(password)));
    expect(tokens.map(({ data }) => data.public_token)).toEqual(
      Array(2).fill(expect.stringMatching(/^public-sandbox-/)),
    );
  });

  it.each<[string, string, string]>([
    ['no JSON', 'pass_bad', ': Must be the JSON of a custom user.'],
    [
      'a value of a wrong type',
      JSON.stringify({
        override_accounts: [{ ...CHECKING, transactions: [{ ...ROW, amount: '87.43' }] }],
      }),
      '.override_accounts.0.transactions.0.amount: Must be a number.',
    ],
    [
      'too many accounts',
      JSON.stringify({ override_accounts: Array(21).fill(CHECKING) }),
      '.override_accounts: Must have at most 20 elements.',
    ],
    [
      'too much text',
      JSON.stringify({ seed: 'x'.repeat(70_000) }),
      ': Must have at most 70000 characters.',
    ],
  ])('is refused for %s', async (_, password, message) => {
    const { status, data } = await failureOf(createWith(password));
    expect({ status, ...data }).toMatchObject({
      status: 400,
      error_type: 'INVALID_REQUEST',
      error_code: 'INVALID_FIELD',
      error_message: `options.override_password${message}`,
    });
  });
});
