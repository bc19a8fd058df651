import { accountsOf } from '../../../simulators/sandbox-bank/accounts/accounts.js';
import {
  liabilitiesOf,
  withOwedBalances,
} from '../../../simulators/sandbox-bank/liabilities/liabilities.js';
import { customerOf } from './support/customers.js';

const debtor = customerOf('user_good', { areas: ['liabilities'] });

/** The debts on a day, by kind. */
function debtsOn(date: string) {
  const day = Date.parse(`${date}T00:00:00Z`) / 86_400_000;
  const accounts = accountsOf(debtor, new Date(`${date}T12:00:00Z`));
  const debts = liabilitiesOf(debtor, accounts, day);
  const [card, mortgage, student] = debts;
  if (card === undefined || mortgage === undefined || student === undefined)
    throw new Error('a debt is missing');
  return { card, mortgage, student, accounts: withOwedBalances(accounts, debts) };
}

describe('Debts at the sandbox bank', () => {
  it('are a card, a mortgage and a student loan, each with the balance of its account', () => {
    const { card, mortgage, student, accounts } = debtsOn('2026-03-02');
    expect([card.kind, mortgage.kind, student.kind]).toEqual(['CARD', 'MORTGAGE', 'STUDENT_LOAN']);
    for (const { account_id: id, balance } of [card, mortgage, student])
      expect(accounts.find((account) => account.account_id === id)?.balances.current).toBe(balance);
    expect(card.balance).toBe('412.37');
  });

  it('of a card have a statement on the 5th, due 25 days later and paid on that day', () => {
    const [before, issued, due] = ['2026-03-04', '2026-03-05', '2026-03-30'].map(
      (date) => debtsOn(date).card,
    );
    expect(issued?.statement?.date).toBe('2026-03-05');
    expect(before?.statement?.date).toBe('2026-02-05');
    expect(issued?.next_payment).toEqual({ due_on: '2026-03-30', amount: '25.00' });
    expect(issued?.last_payment).toEqual({
      date: '2026-03-02',
      amount: before?.statement?.balance,
    });
    expect(due).toMatchObject({
      next_payment: null,
      minimum_payment: '0.00',
      last_payment: { date: '2026-03-30', amount: issued?.statement?.balance },
    });
  });

  it('of a loan fall on the 1st by the part of the installment that is not interest', () => {
    const [before, after] = [debtsOn('2026-03-31').mortgage, debtsOn('2026-04-01').mortgage];
    // 240,000.00 at 6.75 % in 360 installments
    expect(after.minimum_payment).toBe('1556.64');
    const owed = Number(before.balance);
    const interest = Math.round((owed * 6.75) / 12) / 100;
    expect(Number(after.balance)).toBeCloseTo(owed - (1_556.64 - interest), 2);
    expect(after).toMatchObject({
      last_payment: { date: '2026-04-01', amount: '1556.64' },
      next_payment: { due_on: '2026-05-01' },
      matures_on: '2051-07-01',
    });
    const paid = Number(after.year_to_date?.interest) + Number(after.year_to_date?.principal);
    expect(paid).toBeCloseTo(4 * 1_556.64, 2);
  });

  it('of a loan end with the last installment', () => {
    expect(debtsOn('2032-11-30').student.next_payment?.due_on).toBe('2032-12-01');
    expect(debtsOn('2032-12-01').student).toMatchObject({
      balance: '0.00',
      next_payment: null,
      minimum_payment: '0.00',
      payoff_amount: '0.00',
    });
  });

  it('of loans are shown only to a permission that covers liabilities', () => {
    const names = accountsOf(customerOf('user_good'), new Date()).map((it) => it.display_name);
    expect(names).not.toContain('Home Mortgage');
  });
});
