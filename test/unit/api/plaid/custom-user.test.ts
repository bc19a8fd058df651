// cspell:ignore EXMP
import { readCustomUser } from '../../../../apps/api/src/plaid/sandbox/custom-user/read-custom-user.js';
import { customSandboxData } from '../../../../apps/api/src/sandbox/custom-sandbox-data.schema.js';

const TODAY = '2026-03-10';
const read = (user: unknown) => readCustomUser(JSON.stringify(user), TODAY);
/** The data of one account, as the native API accepts it. */
const accept = (account: object) =>
  customSandboxData.parseAsync(read({ override_accounts: [account] }));
const refusal = (user: unknown): string => {
  try {
    read(user);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

const checking = { type: 'depository', subtype: 'checking' };
const broker = { type: 'investment', subtype: 'brokerage' };
const row = {
  date_transacted: '2026-03-01',
  date_posted: '2026-03-02',
  amount: 4.5,
  description: 'Coffee',
};
const holding = { institution_price: 40, quantity: 2.5, security: { ticker_symbol: 'EXMP' } };
const trade = { date: '2026-03-02', name: 'Bought', quantity: 2, price: 10.25, type: 'buy' };

describe('readCustomUser', () => {
  it('translates an account with its numbers, balances and owner', async () => {
    expect(
      await accept({
        ...checking,
        starting_balance: 100,
        force_available_balance: 90.5,
        currency: 'CAD',
        meta: { name: 'Everyday', official_name: 'Everyday Checking', limit: 50, mask: '7890' },
        numbers: { account: '1234567890', ach_routing: '122105155', bacs_sort_code: '310793' },
        identity: {
          names: ['Ada Example'],
          phone_numbers: [{ data: '555-0100', primary: true, type: 'mobile1' }],
          emails: [{ data: 'ada@app.example', primary: true, type: 'primary' }],
          addresses: [{ data: { street: '1 Example Road', city: '', country: 'US' } }],
        },
        income: { paystubs: [] },
        inflow_model: { type: 'none' },
      }),
    ).toMatchObject({
      accounts: [
        {
          account_type: 'depository.checking',
          name: 'Everyday',
          account_number: '1234567890',
          routing_number: '122105155',
          balances: { currency: 'CAD', current: 100, available: 90.5, limit: 50 },
        },
      ],
      owners: [
        {
          names: ['Ada Example'],
          phone_numbers: [{ number: '555-0100', primary: true, type: 'other' }],
          emails: [{ address: 'ada@app.example', primary: true }],
          addresses: [{ street: '1 Example Road', country: 'US' }],
        },
      ],
    });
  });

  it.each([
    [{}, '1111222233330000'],
    [{ meta: { mask: '99ab' } }, '11112222333399ab'],
    [{ meta: { mask: '42' } }, '42'],
    [{ numbers: { international_iban: 'GB33BUKB20201555555555' } }, 'GB33BUKB20201555555555'],
  ])('gives an account with %j the number %s', async (over, number) => {
    expect(await accept({ ...checking, ...over })).toMatchObject({
      accounts: [{ account_number: number }],
    });
  });

  it.each([
    ['depository', null, 'depository.other'],
    ['depository', 'hsa', 'depository.other'],
    ['credit', 'credit card', 'liability.credit_card'],
    ['loan', 'student', 'liability.student_loan'],
    ['loan', 'home equity', 'liability.line_of_credit'],
    ['loan', 'auto', 'liability.loan'],
    ['investment', '401k', 'investment.retirement'],
    ['investment', '403B', 'investment.retirement'],
    ['investment', '529', 'investment.education'],
    ['investment', 'ugma', 'investment.other'],
    ['payroll', 'payroll', 'other.other'],
  ])('knows the type %s with the subtype %s as %s', async (type, subtype, expected) => {
    expect(await accept({ type, subtype })).toMatchObject({
      accounts: [{ account_type: expected }],
    });
  });

  it.each([
    [{}, { date: '2026-03-02', amount: 4.5, type: 'debit', pending: false }],
    [{ amount: -4.5 }, { amount: 4.5, type: 'credit' }],
    [{ date_posted: '2026-03-11' }, { date: '2026-03-01', pending: true }],
  ])('translates a transaction with %j to %j', async (over, expected) => {
    expect(await accept({ ...checking, transactions: [{ ...row, ...over }] })).toMatchObject({
      transactions: [
        { account: 0, description: 'Coffee', transacted_at: '2026-03-01', ...expected },
      ],
    });
  });

  it.each([
    [{}, { quantity: '2.5', price: '40' }],
    [{ quantity: 0.00293644 }, { quantity: '0.00293644' }],
    [
      { quantity: 1e-7, cost_basis: 3 },
      { quantity: '0.0000001', cost_basis: 3 },
    ],
    [
      { institution_price_as_of: '2026-03-09', currency: 'usd' },
      { price_as_of: '2026-03-09', currency: 'USD' },
    ],
    // Plaid counts shares where the bank counts contracts, and units where it counts face value.
    [
      { quantity: 20, security: { ticker_symbol: 'F261108C00005000' } },
      { quantity: '0.2', price: '40', security: { type: 'derivative' } },
    ],
    [
      { quantity: 20, security: { name: 'Bond', type: 'fixed income' } },
      { quantity: '2000', price: '40', security: { type: 'fixed_income' } },
    ],
  ])('translates a holding with %j to %j', async (over, expected) => {
    expect(await accept({ ...broker, holdings: [{ ...holding, ...over }] })).toMatchObject({
      holdings: [{ account: 0, ...expected }],
    });
  });

  it.each([
    [{ fees: 1.5 }, { type: 'buy', quantity: '2', price: '10.25', amount: -22, fees: 1.5 }],
    [
      { type: 'sell', quantity: -2, fees: 1.5 },
      { type: 'sell', quantity: '-2', amount: 19 },
    ],
    [{ type: 'cash' }, { type: 'withdrawal', amount: -20.5 }],
    [
      { type: 'cash', quantity: -2 },
      { type: 'deposit', amount: 20.5 },
    ],
    [
      { type: 'fee', quantity: 0, price: 0, fees: 4 },
      { type: 'fee', amount: -4 },
    ],
    [
      { type: 'transfer', fees: 4 },
      { type: 'transfer', quantity: '2', amount: -4 },
    ],
    [{ price: 0 }, { amount: 0 }],
    [
      { security: { isin: 'US0378331005', type: 'fixed income' } },
      { quantity: '200', security: { type: 'fixed_income' } },
    ],
    [{ security: { name: 'Bond', type: 'fixed income' } }, { quantity: '2', price: '10.25' }],
  ])('translates a movement with %j to %j', async (over, expected) => {
    expect(
      await accept({ ...broker, investment_transactions: [{ ...trade, ...over }] }),
    ).toMatchObject({
      investment_transactions: [
        { account: 0, date: '2026-03-02', description: 'Bought', ...expected },
      ],
    });
  });

  it.each([
    ['a list', [trade]],
    ['one row', trade],
    ['a member of the same name', { investment_transactions: [trade] }],
  ])('reads investment_transactions as %s', async (_, given) => {
    const data = await accept({ ...broker, holdings: holding, investment_transactions: given });
    expect([data.holdings, data.investment_transactions]).toMatchObject([
      [{ quantity: '2.5' }],
      [{ quantity: '2' }],
    ]);
  });

  it('translates the debts of a card and a student loan', async () => {
    const data = await customSandboxData.parseAsync(
      read({
        override_accounts: [
          checking,
          {
            type: 'credit',
            subtype: 'credit card',
            liability: {
              type: 'credit',
              purchase_apr: 16.99,
              special_apr: 0,
              last_payment_amount: 250,
              minimum_payment_amount: 35,
              is_overdue: false,
            },
          },
          {
            type: 'loan',
            subtype: 'student',
            liability: {
              type: 'student',
              origination_date: '2022-01-01',
              principal: 45_123,
              nominal_apr: 4.23,
              expected_payoff_date: '2033-01-01',
              repayment_model: { type: 'standard', repayment_months: 120 },
            },
          },
        ],
      }),
    );
    expect(data.liabilities).toMatchObject([
      {
        account: 1,
        rates: [
          { kind: 'purchase', percentage: 16.99 },
          { kind: 'special', percentage: 0 },
        ],
        last_payment: { amount: 250 },
        minimum_payment: 35,
        is_overdue: false,
      },
      {
        account: 2,
        originated_on: '2022-01-01',
        matures_on: '2033-01-01',
        principal: { original: 45_123 },
        interest_rate: { percentage: 4.23 },
        payments_total: 120,
      },
    ]);
  });

  it.each([{}, { override_accounts: null }, { seed: 'x', override_accounts: [] }])(
    'leaves the accounts of %j to the bank',
    (user) => {
      expect(read(user)).toBeNull();
    },
  );

  const accounts = (...given: object[]) => ({ override_accounts: given });
  const first = 'override_accounts.0';
  it.each<[string, unknown]>([
    ['Must be an object.', []],
    ['override_accounts: Must be a list.', { override_accounts: {} }],
    [`override_accounts: Must have at most 20 elements.`, accounts(...Array(21).fill(checking))],
    [
      'override_accounts: Must have at most 1000 holdings in all accounts.',
      accounts(
        { ...broker, holdings: Array(600).fill(holding) },
        { ...broker, holdings: Array(401).fill(holding) },
      ),
    ],
    [
      `${first}.transactions: Must have at most 1000 elements.`,
      accounts({ ...checking, transactions: Array(1_001).fill(row) }),
    ],
    ['force_error: Is not supported: use a user name that fails.', { force_error: 'NO_ACCOUNTS' }],
    [
      `${first}.transactions.0.description: Is required.`,
      accounts({ ...checking, transactions: [{ ...row, description: null }] }),
    ],
    [
      `${first}.type: Must be one of depository, credit, loan, investment, payroll, other.`,
      accounts({ type: 'brokerage' }),
    ],
    [
      `${first}.subtype: Must be a subtype of depository.`,
      accounts({ ...checking, subtype: 'ira' }),
    ],
    [
      `${first}.starting_balance: Must be a number.`,
      accounts({ ...checking, starting_balance: '1' }),
    ],
    [`${first}.currency: Must be three letters.`, accounts({ ...checking, currency: 'dollars' })],
    [
      `${first}.has_null_available_balance: Must not be set with force_available_balance.`,
      accounts({ ...checking, force_available_balance: 1, has_null_available_balance: true }),
    ],
    [
      `${first}.meta.mask: Must be the last four characters of the account number.`,
      accounts({ ...checking, meta: { mask: '1111' }, numbers: { account: '2222' } }),
    ],
    [
      `${first}.numbers.ach_routing: Must be nine digits that pass the ABA check.`,
      accounts({ ...checking, numbers: { ach_routing: '122105156' } }),
    ],
    [
      `${first}.transactions.1.amount: Must be a number.`,
      accounts({ ...checking, transactions: [row, { ...row, amount: 'much' }] }),
    ],
    [
      `${first}.transactions.0.date_posted: Must be a date, YYYY-MM-DD.`,
      accounts({ ...checking, transactions: [{ ...row, date_posted: '2026-02-30' }] }),
    ],
    [
      `${first}.transactions.0.currency: Must be the currency of the account.`,
      accounts({ ...checking, transactions: [{ ...row, currency: 'EUR' }] }),
    ],
    [
      `${first}.holdings: The account is not an investment account.`,
      accounts({ ...checking, holdings: [holding] }),
    ],
    [
      `${first}.holdings.0.security.isin: Must be a valid ISIN, with its check digit.`,
      accounts({ ...broker, holdings: [{ ...holding, security: { isin: 'US0378331006' } }] }),
    ],
    [
      `${first}.holdings.0.quantity: Must have at most 17 digits after the point.`,
      accounts({ ...broker, holdings: [{ ...holding, quantity: 1e-30 }] }),
    ],
    [
      `${first}.investment_transactions.0.quantity: Must be negative for a sell.`,
      accounts({ ...broker, investment_transactions: [{ ...trade, type: 'sell' }] }),
    ],
    [
      `${first}.investment_transactions.0.type: Must be one of buy, sell, cash, fee, transfer.`,
      accounts({ ...broker, investment_transactions: [{ ...trade, type: 'cancel' }] }),
    ],
    [
      `${first}.liability.type: The account is not a credit card.`,
      accounts({ ...checking, liability: { type: 'credit' } }),
    ],
    [
      `${first}.liability.type: Must be one of credit, student.`,
      accounts({ type: 'loan', subtype: 'mortgage', liability: { type: 'mortgage' } }),
    ],
  ])('refuses %j', (message, user) => {
    const place = message.startsWith('Must') ? ': ' : '.';
    expect(refusal(user)).toBe(`options.override_password${place}${message}`);
  });

  it.each(['pass_bad', '{"override_accounts":', '', `${'['.repeat(40)}${']'.repeat(40)}`])(
    'refuses %j, which is not the JSON of a custom user',
    (password) => {
      expect(() => readCustomUser(password, TODAY)).toThrow(
        'options.override_password: Must be the JSON of a custom user.',
      );
    },
  );
});
