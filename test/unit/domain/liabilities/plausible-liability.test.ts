import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  LIABILITY_KINDS,
  type FetchedLiability,
} from '../../../../domain/liabilities/liability.js';
import { isRevolving } from '../../../../domain/liabilities/liability-kind.js';
import { plausibleLiability } from '../../../../domain/liabilities/plausible-liability.js';
import { cardDebt, debt, mortgageDebt, studentDebt } from '../../../support/fixtures/sent-debt.js';

const of = (fields: Partial<FetchedLiability>) => plausibleLiability(debt('loan', fields));
const rate = (percentage: string) => ({
  kind: 'purchase' as const,
  percentage: new Decimal(percentage),
  balance: null,
  interestCharged: null,
});

describe('The rules that every source of debts shares (native-api 3.15)', () => {
  it.each([
    ['card', cardDebt('a')],
    ['mortgage', mortgageDebt('a')],
    ['student loan', studentDebt('a')],
    ['debt of which only the balance is known', debt('a')],
  ])('keep a plausible %s as it was sent', (_, sent) => {
    expect(plausibleLiability(sent)).toEqual({ liability: sent, implausible: [] });
  });

  it.each([
    ['-0.01', false],
    ['0', true],
    ['0.99', true],
    ['24.99', true],
    ['100', true],
    ['100.01', false],
    ['2499', false],
  ])('read a rate of %s percent as possible: %s', (percentage, isPossible) => {
    const { liability, implausible } = of({
      rates: [rate('19.9'), rate(percentage)],
      interestRate: { percentage: new Decimal(percentage), type: 'fixed' },
    });
    expect(liability.rates).toEqual([rate('19.9'), ...(isPossible ? [rate(percentage)] : [])]);
    expect(liability.interestRate?.percentage.toFixed() ?? null).toBe(
      isPossible ? percentage : null,
    );
    expect(implausible).toEqual(isPossible ? [] : ['rates', 'interestRate']);
  });

  it.each([
    ['0001-01-01', null],
    ['1899-12-31', null],
    ['1900-01-01', '1900-01-01'],
    ['2020-02-29', '2020-02-29'],
    ['2200-12-31', '2200-12-31'],
    ['2201-01-01', null],
    ['9999-12-31', null],
  ])('read the due date %s as %s', (sent, dueOn) => {
    const { liability, implausible } = of({ nextPayment: { dueOn: sent, amount: new Decimal(5) } });
    expect(liability.nextPayment).toEqual({ dueOn, amount: new Decimal(5) });
    expect(implausible).toEqual(dueOn === null ? ['nextPayment'] : []);
  });

  it('keep every other field of a debt with an impossible day', () => {
    const { liability, implausible } = plausibleLiability(
      mortgageDebt('home', {
        maturesOn: '3000-01-01',
        originatedOn: '0019-06-01',
        lastPayment: { date: '1500-01-01', amount: new Decimal('1587.44') },
      }),
    );
    expect(liability).toEqual(
      mortgageDebt('home', {
        maturesOn: null,
        originatedOn: null,
        lastPayment: { date: null, amount: new Decimal('1587.44') },
      }),
    );
    expect(implausible.toSorted()).toEqual(['lastPayment', 'maturesOn', 'originatedOn']);
  });

  it.each([
    ['-25', null, ['minimumPayment']],
    ['-0', '0', []],
    ['0', '0', []],
    ['25.10', '25.1', []],
  ])('read a minimum payment of %s as %s', (sent, expected, faults) => {
    const { liability, implausible } = of({ minimumPayment: new Decimal(sent) });
    expect(liability.minimumPayment?.abs().toFixed() ?? null).toBe(expected);
    expect(implausible).toEqual(faults);
  });

  it('read both signs of what a loan owes as owed, and keep the credit balance of a card', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LIABILITY_KINDS),
        fc.integer({ min: -100_000_000, max: 100_000_000 }),
        (kind, cents) => {
          const sent = new Decimal(cents).div(100);
          const expected = isRevolving(kind) ? sent : sent.abs();
          const { liability, implausible } = of({
            kind,
            balance: sent,
            statement: { date: null, balance: sent },
            payoffAmount: sent,
          });
          expect(liability.balance?.eq(expected)).toBe(true);
          expect(liability.statement?.balance?.eq(expected)).toBe(true);
          expect(liability.payoffAmount?.eq(sent.abs())).toBe(true);
          expect(implausible).toEqual([]);
        },
      ),
    );
  });
});
