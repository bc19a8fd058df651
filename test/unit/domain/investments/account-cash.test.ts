import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { accountCash } from '../../../../domain/investments/account-cash.js';

type Sent = [value: string | null, isCash?: boolean | null, currency?: string];

function cashOf(
  balance: string | null,
  holdings: readonly Sent[],
  {
    reported = null,
    isIncomplete = false,
  }: { reported?: string | null; isIncomplete?: boolean } = {},
) {
  const exact = (figure: string | null) => (figure === null ? null : new Decimal(figure));
  const { holdingsValue, inCashHoldings, cash } = accountCash(
    { currency: 'USD', balance: exact(balance), reportedCash: exact(reported) },
    holdings.map(([value, isCash = false, currency = 'USD']) => ({
      value: exact(value),
      currency,
      isCash,
    })),
    isIncomplete,
  );
  return {
    holdings: holdingsValue?.toFixed() ?? null,
    inCash: inCashHoldings?.toFixed() ?? null,
    amount: cash.amount?.toFixed() ?? null,
    source: cash.source,
    reported: cash.reported?.toFixed() ?? null,
  };
}

describe('The cash of an account', () => {
  it.each<[name: string, cash: ReturnType<typeof cashOf>, expected: object]>([
    [
      'is the part of the balance that is in no holding',
      cashOf('6650.25', [['6544.01']]),
      { holdings: '6544.01', inCash: '0', amount: '106.24', source: 'computed' },
    ],
    [
      'is the whole balance without holdings',
      cashOf('80', []),
      { holdings: '0', inCash: '0', amount: '80' },
    ],
    [
      'counts a money market fund that is a holding once',
      cashOf('5000', [['4000'], ['1000', true]]),
      { inCash: '1000', amount: '0', source: 'computed' },
    ],
    [
      'counts it once also if nothing shows that it is money',
      cashOf('5000', [['4000'], ['1000', null]]),
      { inCash: null, amount: '0', source: 'computed' },
    ],
    [
      'is negative if it was borrowed on margin',
      cashOf('7000', [['9000'], ['-500']]),
      { holdings: '8500', amount: '-1500' },
    ],
    [
      'is nothing up to half a cent for each holding and the balance',
      cashOf('10.015', [['4'], ['6']]),
      { amount: '0' },
    ],
    [
      'is something beyond half a cent for each holding and the balance',
      cashOf('10.016', [['4'], ['6']]),
      { amount: '0.016' },
    ],
    [
      'is unknown if a value is',
      cashOf('10', [['4'], [null]]),
      { holdings: null, amount: null, source: null },
    ],
    [
      'is unknown if a holding has another currency',
      cashOf('10', [['4', false, 'EUR']]),
      { holdings: null, amount: null, source: null },
    ],
    [
      'is unknown if the balance is',
      cashOf(null, [['4']]),
      { holdings: '4', amount: null, source: null },
    ],
    [
      'is unknown if holdings may be missing',
      cashOf('10', [['4']], { isIncomplete: true }),
      { holdings: null, inCash: null, amount: null, source: null },
    ],
    [
      'is confirmed by a reported cash that includes cash holdings',
      cashOf('5100', [['4000'], ['1000', true]], { reported: '1100.01' }),
      { inCash: '1000', amount: '100', source: 'confirmed', reported: '1100.01' },
    ],
    [
      'is unknown if the reported cash is of another time',
      cashOf('5100', [['4000'], ['1000', true]], { reported: '1100.02' }),
      { inCash: '1000', amount: null, source: null, reported: '1100.02' },
    ],
    [
      'is neither confirmed nor denied if cash holdings are unknown',
      cashOf('5100', [['4000'], ['1000', null]], { reported: '1100' }),
      { inCash: null, amount: '100', source: 'computed', reported: '1100' },
    ],
    [
      'shows the reported one even if it cannot be computed',
      cashOf(null, [['4000']], { reported: '1100' }),
      { amount: null, source: null, reported: '1100' },
    ],
  ])('%s', (_name, cash, expected) => {
    expect(cash).toMatchObject(expected);
  });

  it('and the values of all holdings are the balance, to within half a cent each', () => {
    const cents = fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((it) => `${it}e-2`);
    const thousandths = fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((it) => `${it}e-3`);
    fc.assert(
      fc.property(cents, fc.array(thousandths, { maxLength: 8 }), (balance, values) => {
        const { holdings, amount } = cashOf(
          balance,
          values.map((value): Sent => [value]),
        );
        const rest = new Decimal(holdings ?? NaN).plus(amount ?? NaN).minus(balance);
        expect(rest.abs().lte(0.005 * (values.length + 1))).toBe(true);
      }),
    );
  });
});
