import { Decimal } from 'decimal.js';
import { ACCOUNT_TYPES } from '../../../../domain/accounts/account-types.js';
import { liabilityKindOf } from '../../../../domain/liabilities/liability-kind.js';
import { renderLiability } from '../../../../domain/liabilities/present-liability.js';
import { cardDebt, debt, mortgageDebt } from '../../../support/fixtures/sent-debt.js';

const shown = (sent = debt('loan')) => JSON.parse(renderLiability('acc_1', sent)) as object;

describe('The public JSON of a debt (native-api 4.16)', () => {
  it('has every field, with null for each unknown one', () => {
    expect(shown(debt('loan', { balance: null, rates: [] }))).toEqual({
      account_id: 'acc_1',
      kind: 'loan',
      currency: 'USD',
      balance: null,
      limit: null,
      available: null,
      statement: null,
      minimum_payment: null,
      next_payment: null,
      last_payment: null,
      past_due: null,
      is_overdue: null,
      rates: [],
      interest_rate: null,
      principal: null,
      originated_on: null,
      matures_on: null,
      term_months: null,
      payments_total: null,
      payment_frequency: null,
      escrow: null,
      payoff_amount: null,
      year_to_date: null,
    });
  });

  it('shows the facts of a mortgage and of a card under their names', () => {
    expect(shown(mortgageDebt('home'))).toMatchObject({
      kind: 'mortgage',
      balance: 214300.18,
      next_payment: { due_on: '2026-04-01', amount: 1587.44 },
      last_payment: { date: '2026-03-01', amount: 1587.44 },
      past_due: 0,
      interest_rate: { percentage: 6.75, type: 'fixed' },
      principal: { original: 245000, outstanding: 214300.18 },
      originated_on: '2019-06-01',
      matures_on: '2049-06-01',
      term_months: 360,
      payments_total: 360,
      payment_frequency: 'monthly',
      escrow: 2140.55,
      payoff_amount: 215000,
      year_to_date: { interest: 3611.2, principal: 1151.12 },
    });
    expect(shown(cardDebt('card', { balance: new Decimal('-3.5') }))).toMatchObject({
      kind: 'credit',
      balance: -3.5,
      limit: 5000,
      available: 4587.93,
      statement: { date: '2026-03-05', balance: 388.1 },
      minimum_payment: 25,
      next_payment: { due_on: '2026-03-30', amount: null },
      is_overdue: false,
      rates: [
        { kind: 'purchase', percentage: 24.99, balance: 388.1, interest_charged: 8.08 },
        { kind: 'penalty', percentage: 29.9, balance: null, interest_charged: null },
      ],
    });
  });

  it('keeps every digit of amounts and rates', () => {
    const text = renderLiability(
      'acc_1',
      debt('loan', {
        balance: new Decimal('12345678901234567.89'),
        interestRate: { percentage: new Decimal('6.123456789012345678'), type: null },
      }),
    );
    expect(text).toContain('"balance":12345678901234567.89,');
    expect(text).toContain('"interest_rate":{"percentage":6.123456789012345678,"type":null}');
  });

  it('shows an object of which nothing is known as null, and zero as a fact', () => {
    expect(
      shown(
        debt('loan', {
          nextPayment: { dueOn: null, amount: null },
          principal: { original: null, outstanding: new Decimal(0) },
        }),
      ),
    ).toMatchObject({ next_payment: null, principal: { original: null, outstanding: 0 } });
  });
});

it('Accounts of the types liability.* have a debt, and no other account has one', () => {
  const kinds = ACCOUNT_TYPES.map((type) => [type, liabilityKindOf(type)]);
  expect(kinds.filter(([, kind]) => kind !== null)).toEqual([
    ['liability.credit_card', 'credit'],
    ['liability.loan', 'loan'],
    ['liability.mortgage', 'mortgage'],
    ['liability.student_loan', 'student'],
    ['liability.line_of_credit', 'line_of_credit'],
    ['liability.other', 'loan'],
  ]);
});
