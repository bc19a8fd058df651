import { Decimal } from 'decimal.js';
import type { FetchedAccount } from '../../domain/refresh/fetched-data.js';
import { refusalOf } from '../support/actors/plaid-client.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { cardDebt, debt, mortgageDebt, studentDebt } from '../support/fixtures/sent-debt.js';
import { StoredItem } from '../support/fixtures/stored-item.js';

const service = plaidServiceOfFile();

const call = ({ accessToken }: StoredItem, options = {}) =>
  service.plaid.liabilitiesGet({ access_token: accessToken, options });
const get = async (item: StoredItem, options = {}) => (await call(item, options)).data;

/** The sandbox bank lists two accounts; a test gives them the types that it needs. */
async function itemWith(checking: string, savings: string): Promise<StoredItem> {
  const item = await StoredItem.linked(service.api, { products: ['liabilities'] });
  const account = (providerAccountId: string, accountType: string) =>
    ({ providerAccountId, accountType }) satisfies Partial<FetchedAccount>;
  await item.fetchAccounts(account('checking', checking), account('savings', savings));
  return item;
}

describe('/liabilities/get', () => {
  it('returns a card and a mortgage with the fields of their kinds', async () => {
    const item = await itemWith('liability.credit_card', 'liability.mortgage');
    await item.fetchLiabilities(cardDebt('checking'), mortgageDebt('savings'));
    const { checking, savings } = await item.accountIds();
    const data = await get(item);
    expect(data.accounts.map(({ account_id: id, type }) => [id, type])).toEqual([
      [checking, 'credit'],
      [savings, 'loan'],
    ]);
    expect(data.item).toMatchObject({ item_id: item.linkId, error: null });
    expect(data.liabilities).toEqual({
      credit: [
        {
          account_id: checking,
          aprs: [
            {
              apr_percentage: 24.99,
              apr_type: 'purchase_apr',
              balance_subject_to_apr: 388.1,
              interest_charge_amount: 8.08,
            },
            {
              apr_percentage: 29.9,
              apr_type: 'penalty_apr',
              balance_subject_to_apr: null,
              interest_charge_amount: null,
            },
          ],
          is_overdue: false,
          last_payment_amount: 120.5,
          last_payment_date: '2026-02-28',
          last_statement_balance: 388.1,
          last_statement_issue_date: '2026-03-05',
          minimum_payment_amount: 25,
          next_payment_due_date: '2026-03-30',
        },
      ],
      mortgage: [
        {
          account_id: savings,
          account_number: null,
          current_late_fee: null,
          escrow_balance: 2140.55,
          has_pmi: null,
          has_prepayment_penalty: null,
          interest_rate: { percentage: 6.75, type: 'fixed' },
          last_payment_amount: 1587.44,
          last_payment_date: '2026-03-01',
          loan_type_description: null,
          loan_term: '30 year',
          maturity_date: '2049-06-01',
          next_monthly_payment: 1587.44,
          next_payment_due_date: '2026-04-01',
          origination_date: '2019-06-01',
          origination_principal_amount: 245000,
          past_due_amount: 0,
          property_address: {
            city: null,
            country: null,
            postal_code: null,
            region: null,
            street: null,
          },
          ytd_interest_paid: 3611.2,
          ytd_principal_paid: 1151.12,
        },
      ],
      student: null,
      loan: null,
      line_of_credit: null,
    });
  });

  it('returns a loan and a credit line with the fields of their kinds', async () => {
    const item = await itemWith('liability.loan', 'liability.line_of_credit');
    await item.fetchLiabilities(
      debt('checking', {
        interestRate: { percentage: new Decimal('7.2'), type: null },
        principal: { original: new Decimal('12000'), outstanding: new Decimal('9400') },
        termMonths: 66,
        paymentsTotal: 66,
        paymentFrequency: 'biweekly',
        payoffAmount: new Decimal('9460.01'),
      }),
      cardDebt('savings', { kind: 'line_of_credit', pastDue: new Decimal('12.50') }),
    );
    const { liabilities } = await get(item);
    expect(liabilities).toMatchObject({
      credit: null,
      mortgage: null,
      student: null,
      loan: [
        {
          account_number: null,
          interest_rate: { percentage: 7.2, type: null },
          principal_balance: 9400,
          origination_principal_amount: 12000,
          loan_term_months: 66,
          payment_count: 66,
          payment_frequency: 'biweekly',
          next_payment_due_date: null,
          payoff_amount: 9460.01,
          compounding_period: null,
        },
      ],
      line_of_credit: [
        {
          interest_rate: null,
          credit_limit: 5000,
          available_credit: 4587.93,
          minimum_payment_amount: 25,
          last_statement_balance: 388.1,
          past_due_amount: 12.5,
          finance_charges: null,
          draw_period_end_date: null,
          aprs: { length: 2 },
        },
      ],
    });
  });

  it('lists a student loan only when its rate is known', async () => {
    const item = await itemWith('liability.student_loan', 'liability.student_loan');
    const unrated = studentDebt('savings', { interestRate: null });
    await item.fetchLiabilities(studentDebt('checking'), unrated);
    const { checking } = await item.accountIds();
    const { accounts, liabilities } = await get(item);
    expect(accounts).toHaveLength(2);
    expect(liabilities.student).toMatchObject([
      {
        account_id: checking,
        expected_payoff_date: '2035-09-01',
        interest_rate_percentage: 5.05,
        loan_status: { end_date: null, type: 'other' },
        minimum_payment_amount: 0,
        next_payment_due_date: '2026-03-20',
        pslf_status: { payments_made: null },
        repayment_plan: { description: null, type: 'other' },
        servicer_address: { city: null },
      },
    ]);
    await item.fetchLiabilities(unrated);
    expect((await get(item)).liabilities.student).toBeNull();
  });

  it('returns the debts of the accounts that are asked for, and refuses unknown ones', async () => {
    const item = await itemWith('liability.credit_card', 'liability.loan');
    await item.fetchLiabilities(cardDebt('checking'), debt('savings'));
    const { savings = '' } = await item.accountIds();
    const chosen = await get(item, { account_ids: [savings] });
    expect(chosen.accounts.map(({ account_id: id }) => id)).toEqual([savings]);
    expect(chosen.liabilities).toMatchObject({ credit: null, loan: [{ account_id: savings }] });
    expect(await refusalOf(call(item, { account_ids: ['acc_unknown'] }))).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_ACCOUNT_ID',
    ]);
  });

  it('leaves out accounts of other types, and refuses an Item that has only those', async () => {
    const mixed = await itemWith('depository.checking', 'liability.loan');
    await mixed.fetchLiabilities(debt('savings'));
    const { savings } = await mixed.accountIds();
    expect((await get(mixed)).accounts.map(({ account_id: id }) => id)).toEqual([savings]);
    const item = await itemWith('depository.checking', 'depository.savings');
    await item.fetchLiabilities();
    expect(await refusalOf(call(item))).toEqual([400, 'ITEM_ERROR', 'NO_LIABILITY_ACCOUNTS']);
  });

  it('waits for the first fetch of debts', async () => {
    const item = await itemWith('liability.credit_card', 'depository.savings');
    const waiting = get(item);
    await item.whenAsked('liabilities');
    await item.fetchLiabilities(cardDebt('checking'));
    expect((await waiting).liabilities.credit).toHaveLength(1);
  });

  it('refuses an Item whose institution does not offer the product', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts({ providerAccountId: 'checking' });
    expect(await refusalOf(call(item))).toEqual([400, 'ITEM_ERROR', 'PRODUCTS_NOT_SUPPORTED']);
  });
});
