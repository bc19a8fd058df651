import { Decimal } from 'decimal.js';
import type { FetchedLiability } from '../../../../domain/liabilities/liability.js';
import {
  renderLiability,
  type PresentedLiability,
} from '../../../../domain/liabilities/present-liability.js';
import { liabilitiesWebhook } from '../../../../domain/plaid/changed-liabilities.js';
import { plaidDebt } from '../../../../domain/plaid/liabilities.js';
import { cardDebt, debt, studentDebt } from '../../../support/fixtures/sent-debt.js';

const stored = (sent: FetchedLiability) =>
  JSON.parse(renderLiability('acc_1', sent)) as PresentedLiability;
const change = (before: FetchedLiability | null, after: FetchedLiability | null) => ({
  accountId: 'acc_1',
  before: before && stored(before),
  after: after && stored(after),
});
const card = cardDebt('card');
const unrated = studentDebt('loan', { interestRate: null });

describe('LIABILITIES / DEFAULT_UPDATE (plaid-compat 8.1)', () => {
  it.each([
    [
      'the due date of a card',
      cardDebt('card', { nextPayment: { dueOn: '2026-04-30', amount: null } }),
      ['next_payment_due_date'],
    ],
    [
      'a statement and whether it is overdue',
      cardDebt('card', {
        isOverdue: true,
        statement: { date: '2026-04-05', balance: new Decimal('10') },
      }),
      ['is_overdue', 'last_statement_balance', 'last_statement_issue_date'],
    ],
    ['the rates of a card', cardDebt('card', { rates: [] }), ['aprs']],
  ])('names the fields that changed with %s', (_, after, names) => {
    expect(liabilitiesWebhook([change(card, after)])).toEqual({
      webhook_type: 'LIABILITIES',
      webhook_code: 'DEFAULT_UPDATE',
      account_ids_with_new_liabilities: [],
      account_ids_with_updated_liabilities: { acc_1: names },
      error: null,
    });
  });

  it.each([
    ['a debt that is new', change(null, card)],
    ['a student loan whose rate became known', change(unrated, studentDebt('loan'))],
  ])('names the account of %s', (_, fresh) => {
    expect(liabilitiesWebhook([fresh])).toMatchObject({
      account_ids_with_new_liabilities: ['acc_1'],
      account_ids_with_updated_liabilities: {},
    });
  });

  it('names every field of a debt that ended', () => {
    const fields = Object.keys(plaidDebt(stored(card)) ?? {}).filter((key) => key !== 'account_id');
    expect(liabilitiesWebhook([change(card, null)])).toMatchObject({
      account_ids_with_new_liabilities: [],
      account_ids_with_updated_liabilities: { acc_1: fields },
    });
  });

  it.each([
    ['nothing', []],
    ['a field that Plaid does not show', [change(card, cardDebt('card', { termMonths: 12 }))]],
    ['a loan that is not listed', [change(unrated, null), change(null, unrated)]],
  ])('is not sent when %s changed', (_, changes) => {
    expect(liabilitiesWebhook(changes)).toBeNull();
  });
});

it.each([
  [360, '30 year'],
  [18, '18 month'],
  [null, null],
])('A mortgage of %s months has the term %j', (termMonths, term) => {
  expect(plaidDebt(stored(debt('home', { kind: 'mortgage', termMonths })))).toMatchObject({
    loan_term: term,
  });
});

it.each([
  ['monthly', 'monthly'],
  ['semi_monthly', 'semimonthly'],
  ['annual', 'annually'],
  ['at_maturity', null],
  [null, null],
])('A loan that is paid %s has the frequency %j of Plaid', (paymentFrequency, frequency) => {
  expect(plaidDebt(stored(debt('loan', { paymentFrequency })))).toMatchObject({
    payment_frequency: frequency,
  });
});
