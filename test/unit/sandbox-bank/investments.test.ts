// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { holdingsOf } from '../../../simulators/sandbox-bank/investments/holdings.js';
import type { BankInvestmentTransaction } from '../../../simulators/sandbox-bank/investments/bank-investment-transaction.js';
import { investmentTransactionsOf } from '../../../simulators/sandbox-bank/investments/investment-transactions.js';
import { dayOf } from '../../../simulators/sandbox-bank/transactions/day-number.js';
import { customerOf } from './support/customers.js';

const Exact = Decimal.clone({ precision: 60 });
const TODAY = dayOf(2026, 3, 2);
const investor = (worldSeed = '7') =>
  customerOf('user_good', { worldSeed, areas: ['investments'] });
const sum = (figures: readonly (string | null)[]) =>
  figures.reduce((total, figure) => total.plus(figure ?? 0), new Exact(0));
const inPounds = (figure: string | null, currency: string) =>
  new Exact(figure ?? 0).dividedBy(currency === 'GBX' ? 100 : 1).toFixed();

/** From the first day of the portfolios. */
const anyDay = fc.integer({ min: dayOf(2024, 1, 2), max: dayOf(2032, 12, 31) });
const anySeed = fc.integer({ min: 0, max: 1_000 }).map(String);

describe('Investments at the sandbox bank', () => {
  it('add up to the balance of each account, on every day and by every seed', () => {
    fc.assert(
      fc.property(anySeed, anyDay, (seed, day) => {
        const { accounts, holdings } = holdingsOf(investor(seed), day);
        const rows = investmentTransactionsOf(investor(seed), day);
        const added = accounts.map(({ account_id: id }) =>
          sum(
            [
              ...holdings.map((row) => ({ ...row, figure: row.value })),
              ...rows.map((row) => ({ ...row, figure: row.amount })),
            ]
              .filter((row) => row.account_id === id)
              .map(({ figure, currency }) => inPounds(figure, currency)),
          ).toFixed(2),
        );
        expect(added).toEqual(accounts.map(({ balance }) => balance));
      }),
      { numRuns: 30 },
    );
  });

  it('have the quantities that their movements leave', () => {
    fc.assert(
      fc.property(anySeed, anyDay, (seed, day) => {
        const { holdings } = holdingsOf(investor(seed), day);
        const rows = investmentTransactionsOf(investor(seed), day);
        expect(quantities(holdings)).toEqual(quantities(rows));
      }),
      { numRuns: 30 },
    );
  });

  it('keep each movement as it was when the clock advances, settled since', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 400 }), (day, later) => {
        const before = investmentTransactionsOf(investor(), day);
        const after = new Map(
          investmentTransactionsOf(investor(), day + later).map((row) => [row.transaction_id, row]),
        );
        expect(before.map((row) => after.get(row.transaction_id))).toEqual(
          before.map((row) => ({
            ...row,
            status:
              Date.parse(row.settlement_date ?? '') <= (day + later) * 86_400_000
                ? 'BOOKED'
                : 'PENDING',
          })),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('have one position of every kind that banks report differently', () => {
    const { holdings } = holdingsOf(investor(), TODAY);
    const forms = holdings.map((row) => [
      row.security.kind,
      row.currency,
      row.security.security_id !== null,
      row.lots.length > 1,
      row.cost_basis !== null,
      row.cost_basis_kind,
      row.is_cash,
    ]);
    expect(forms).toEqual([
      ['SHARE', 'USD', true, false, true, 'TOTAL', false],
      ['FUND', 'USD', true, true, true, 'TOTAL', false],
      ['MONEY_MARKET', 'USD', true, false, true, 'TOTAL', true],
      ['BOND', 'USD', true, false, true, 'TOTAL', false],
      ['COIN', 'USD', true, false, true, 'TOTAL', false],
      ['ETF', 'USD', true, false, false, null, false],
      ['OPTION', 'USD', true, false, true, 'TOTAL', false],
      ['FUND', 'USD', false, false, true, 'TOTAL', null],
      ['FUND', 'USD', false, false, true, 'TOTAL', null],
      ['SHARE', 'GBX', true, false, true, null, false],
      ['SHARE', 'GBX', true, false, true, null, false],
    ]);
    const option = holdings.find(({ security }) => security.kind === 'OPTION');
    expect(option).toMatchObject({
      quantity: '-2',
      value: expect.stringMatching(/^-/),
      cost_basis: expect.stringMatching(/^-/),
    });
    expect(holdings.find(({ security }) => security.kind === 'COIN')?.quantity).toBe(
      '0.123456789012345678',
    );
    expect(
      holdings.map(({ contribution_source: source }) => source).filter((it) => it !== null),
    ).toEqual(['EMPLOYEE_PRE_TAX', 'EMPLOYER_MATCH']);
  });

  it.each([
    ['shares', 'SHARE', ['2026-02-27', '2026-02-27', '2026-02-27', '2026-03-02', '2026-03-03']],
    ['funds', 'FUND', ['2026-02-26', '2026-02-27', '2026-02-27', '2026-02-27', '2026-03-02']],
  ])('price %s by weekday, from Friday 2026-02-27 to Tuesday', (_name, kind, dates) => {
    const found = [0, 1, 2, 3, 4].map((later) =>
      holdingsOf(investor(), dayOf(2026, 2, 27) + later).holdings.find(
        ({ security }) => security.kind === kind,
      ),
    );
    expect(found.map((row) => row?.price_date)).toEqual(dates);
    expect(new Set(found.map((row) => `${row?.price_date} ${row?.price}`)).size).toBe(3);
  });

  it('split once a year without changing the cost of the shares', () => {
    const splits = investmentTransactionsOf(investor(), dayOf(2026, 12, 31)).filter(
      ({ code }) => code === 'SPLIT',
    );
    expect(splits.map(({ booking_date, quantity }) => [booking_date, quantity])).toEqual([
      ['2024-07-01', '120'],
      ['2025-07-01', '-120'],
      ['2026-07-01', '120'],
    ]);
    const costOn = (day: number) =>
      holdingsOf(investor(), day).holdings.find(({ security }) => security.symbol === 'EXSY');
    const [before, after] = [costOn(dayOf(2026, 6, 30)), costOn(dayOf(2026, 7, 1))];
    expect([before?.quantity, after?.quantity]).toEqual(['120', '240']);
    expect(after?.cost_basis).toBe(before?.cost_basis);
    expect(Number(after?.price) / Number(before?.price)).toBeCloseTo(0.5, 1);
  });

  it('are shown to a permission that covers investments only', () => {
    expect(holdingsOf(customerOf('user_good'), TODAY)).toEqual({ accounts: [], holdings: [] });
    expect(investmentTransactionsOf(customerOf('user_good'), TODAY)).toEqual([]);
  });
});

function quantities(
  rows: readonly Pick<BankInvestmentTransaction, 'account_id' | 'security' | 'quantity'>[],
): Record<string, string> {
  const byName = new Map<string, Decimal>();
  for (const { account_id: account, security, quantity } of rows) {
    const name = `${account} ${security?.name}`;
    byName.set(name, sum([byName.get(name)?.toFixed() ?? null, quantity]));
  }
  return Object.fromEntries(
    [...byName]
      .filter(([, quantity]) => !quantity.isZero())
      .map(([name, quantity]) => [name, quantity.toFixed()] as const)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
}
