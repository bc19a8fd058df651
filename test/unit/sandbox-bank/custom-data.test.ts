import {
  accountNumbersOf,
  accountsOf,
} from '../../../simulators/sandbox-bank/accounts/accounts.js';
import { ownersOf } from '../../../simulators/sandbox-bank/accounts/owners.js';
import { CustomData } from '../../../simulators/sandbox-bank/customers/custom-data.js';
import { holdingsOf } from '../../../simulators/sandbox-bank/investments/holdings.js';
import { investmentTransactionsOf } from '../../../simulators/sandbox-bank/investments/investment-transactions.js';
import { liabilitiesOf } from '../../../simulators/sandbox-bank/liabilities/liabilities.js';
import { dayNumberOf } from '../../../simulators/sandbox-bank/transactions/day-number.js';
import { transactionPage } from '../../../simulators/sandbox-bank/transactions/transaction-page.js';
import { customerOf, NOW } from './support/customers.js';

describe('Custom data', () => {
  const account = {
    account_type: 'investment.brokerage',
    name: 'Broker',
    account_number: '9988-7766',
  };

  it('becomes accounts, numbers, owners and rows', () => {
    const customData = CustomData.parse({
      accounts: [
        account,
        {
          ...account,
          account_number: '1',
          routing_number: '021000021',
          balances: { currency: 'CAD', available: null, current: -12.5, limit: 0.1 },
        },
      ],
      owners: [{ names: ['Ann Example'], addresses: null }],
      transactions: [
        {
          account: 1,
          date: '2026-02-27',
          amount: 0.30000000000000004,
          type: 'credit',
          datetime: '2026-02-27T09:30:00',
          description: 'x',
        },
        {
          account: 0,
          date: '2026-02-27T00:00:00',
          amount: 1e-7,
          type: 'debit',
          pending: true,
          datetime: '2026-03-01T09:30:00Z',
        },
        { account: 0, date: '2019-01-01', amount: 7, type: 'debit' },
      ],
    });
    const customer = customerOf('user_custom', { customData });
    expect(accountsOf(customer, NOW)).toMatchObject([
      {
        product: 'BROKERAGE',
        display_name: 'Broker',
        number_last4: '7766',
        currency: 'USD',
        balances: { available: null, current: null },
      },
      { number_last4: '1', currency: 'CAD', balances: { current: '-12.5', credit_limit: '0.1' } },
    ]);
    expect(accountNumbersOf(customer).map(({ routing_number }) => routing_number)).toEqual([
      '999000014',
      '021000021',
    ]);
    expect(ownersOf(customer)).toMatchObject([
      { names: ['Ann Example'], addresses: [], phone_numbers: [], emails: [] },
    ]);
    const { transactions } = transactionPage(
      customer,
      { first: 20_000, last: 20_514, size: 10, after: null, fetchDays: [] },
      NOW,
    );
    expect(
      transactions
        .map(({ amount, direction, status, local_datetime }) => [
          amount,
          direction,
          status,
          local_datetime,
        ])
        .sort(),
    ).toEqual([
      ['0.0000001', 'OUT', 'PENDING', null],
      ['0.3', 'IN', 'BOOKED', '2026-02-27T09:30:00.000'],
    ]);
  });

  it('becomes holdings, movements until today and debts', () => {
    const security = { symbol: 'EXMP', type: 'equity' };
    const bond = { name: 'Bond 2030', type: 'fixed_income' };
    const trade = { account: 0, security, quantity: '3', price: '7', amount: -21 };
    const customData = CustomData.parse({
      accounts: [
        { ...account, balances: { current: 1_000.5, currency: 'USD' } },
        {
          ...account,
          account_type: 'liability.credit_card',
          balances: { current: 40, limit: 500, available: 460 },
        },
      ],
      holdings: [
        { account: 0, security, quantity: '3', price: '7.105', cost_basis: 20 },
        { account: 0, security: bond, quantity: '2000', price: '98.5' },
        { account: 0, security, quantity: '-1.000000000000000001', value: -7.1 },
      ],
      investment_transactions: [
        { ...trade, type: 'buy', date: '2026-03-02' },
        { ...trade, type: 'buy', date: '2026-03-03' },
      ],
      liabilities: [
        {
          account: 1,
          minimum_payment: 0,
          rates: [
            { kind: 'purchase', percentage: 24.99 },
            { kind: 'balance_transfer', percentage: 18 },
          ],
          next_payment: { due_on: '2026-03-20', amount: 25 },
        },
      ],
    });
    const customer = customerOf('user_custom', { customData });
    const today = dayNumberOf(NOW);
    const held = holdingsOf(customer, today);
    expect(held.accounts).toMatchObject([{ balance: '1000.5', currency: 'USD' }]);
    expect(
      held.holdings.map(({ quantity, value, cost_basis, cost_basis_kind }) => [
        quantity,
        value,
        cost_basis,
        cost_basis_kind,
      ]),
    ).toEqual([
      ['3', '21.32', '20', 'TOTAL'],
      ['2000', '1970', null, null],
      ['-1.000000000000000001', '-7.1', null, null],
    ]);
    expect(investmentTransactionsOf(customer, today)).toMatchObject([
      { code: 'BOUGHT', quantity: '3', amount: '-21', booking_date: '2026-03-02' },
    ]);
    expect(liabilitiesOf(customer, accountsOf(customer, NOW), today)).toMatchObject([
      {
        kind: 'CARD',
        balance: '40',
        credit_limit: '500',
        available_credit: '460',
        minimum_payment: '0',
        next_payment: { due_on: '2026-03-20', amount: '25' },
        last_payment: null,
        rates: [
          { kind: 'PURCHASE', apr: '24.99' },
          { kind: 'BALANCE_TRANSFER', apr: '18' },
        ],
      },
    ]);
  });

  it('is used only by user_custom', () => {
    const customData = CustomData.parse({ accounts: [account] });
    expect(accountsOf(customerOf('user_good', { customData }), NOW)).toHaveLength(3);
    expect(accountsOf(customerOf('user_custom', { customData }), NOW)).toHaveLength(1);
    expect(accountsOf(customerOf('user_custom'), NOW)).toHaveLength(3);
  });

  it.each<[string, unknown]>([
    ['', null],
    ['', []],
    ['accounts', {}],
    ['accounts', { accounts: [] }],
    ['accounts', { accounts: Array.from({ length: 21 }, () => account) }],
    ['accounts.0.account_type', { accounts: [{ ...account, account_type: 'depository.sock' }] }],
    ['accounts.0.account_type', { accounts: [{ ...account, account_type: 'constructor' }] }],
    ['accounts.0.routing_number', { accounts: [{ ...account, routing_number: '021000022' }] }],
    ['accounts.0.name', { accounts: [{ ...account, name: 'a\u0000' }] }],
    ['accounts.0.balances.current', { accounts: [{ ...account, balances: { current: '7' } }] }],
    [
      'transactions',
      {
        accounts: [account],
        transactions: [{ account: 1, date: '2026-01-01', amount: 1, type: 'debit' }],
      },
    ],
    ['holdings', { accounts: [account], holdings: [{ account: 1, security: {}, quantity: '1' }] }],
    [
      'holdings.0.quantity',
      { accounts: [account], holdings: [{ account: 0, security: {}, quantity: 1 }] },
    ],
    ['liabilities', { accounts: [account], liabilities: [{ account: 1 }] }],
    [
      'liabilities.0.originated_on',
      { accounts: [account], liabilities: [{ account: 0, originated_on: '2026-02-30' }] },
    ],
    [
      'transactions.0.date',
      {
        accounts: [account],
        transactions: [{ account: 0, date: '2026-02-30', amount: 1, type: 'debit' }],
      },
    ],
    [
      'transactions.0.amount',
      {
        accounts: [account],
        transactions: [{ account: 0, date: '2026-01-01', amount: -1, type: 'debit' }],
      },
    ],
    [
      'transactions.0.type',
      {
        accounts: [account],
        transactions: [{ account: 0, date: '2026-01-01', amount: 1, type: 'gift' }],
      },
    ],
  ])('is reported as invalid at %j', (wrongAt, value) => {
    expect(CustomData.safeParse(value).error?.issues[0]?.path.join('.')).toBe(wrongAt);
  });
});
