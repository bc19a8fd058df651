import { cents, Exact } from '../accounts/figures.js';
import type { Market } from './market.js';
import { moneyMovement, trade, unitsFor, type Movement } from './movement.js';
import { PENCE_SHARE, PLAN_FUND } from './security-list.js';
import { FIRST_DAY, monthsUntil, tradingDayFrom } from './trading-days.js';
import { dayOf } from '../transactions/day-number.js';

/** Two payments of each month, and the share of each that belongs to the employee already. */
export const CONTRIBUTION_SOURCES = [
  { source: 'EMPLOYEE_PRE_TAX', amount: '400.00', vested: '1' },
  { source: 'EMPLOYER_MATCH', amount: '200.00', vested: '0.6' },
] as const;

/** Everything in the account *Retirement 401(k)* until a day: contributions buy units at once. */
export function retirementMovements(market: Market, today: number): Movement[] {
  return [
    moneyMovement({
      key: 'open/deposit',
      day: FIRST_DAY,
      code: 'DEPOSIT',
      amount: new Exact('250.00'),
    }),
    ...monthsUntil(today).flatMap(({ year, month }) =>
      CONTRIBUTION_SOURCES.flatMap(({ source, amount }) => {
        const day = tradingDayFrom(dayOf(year, month, 15));
        const paid = new Exact(amount);
        const quantity = unitsFor(market, PLAN_FUND, day, paid);
        const key = (name: string) => `${year}-${month}/${source}/${name}`;
        const bought = trade(market, {
          key: key('bought'),
          day,
          code: 'BOUGHT',
          security: PLAN_FUND,
          quantity,
          source,
        });
        return [
          moneyMovement({ key: key('paid'), day, code: 'CONTRIBUTION', amount: paid, source }),
          { ...bought, gross: paid, amount: paid.negated() },
        ];
      }),
    ),
  ];
}

/** Everything in the account *Global Trading* until a day. */
export function globalMovements(market: Market, today: number): Movement[] {
  const buy = (key: string, day: number, quantity: number) =>
    trade(market, {
      key,
      day,
      code: 'BOUGHT',
      security: PENCE_SHARE,
      quantity: new Exact(quantity),
      fees: new Exact('5.95'),
    });
  const later = dayOf(2025, 3, 4);
  return [
    moneyMovement({
      key: 'open/deposit',
      day: FIRST_DAY,
      code: 'DEPOSIT',
      amount: new Exact('8000.00'),
    }),
    buy('open/share', FIRST_DAY, 900),
    buy('2025-3/bought', later, 350),
    ...monthsUntil(today).flatMap(({ year, month }) => {
      if (month % 6 !== 0) return [];
      const day = tradingDayFrom(dayOf(year, month, 16));
      const gross = cents(new Exact(day < later ? 900 : 1_250).times('0.062'));
      const taxes = cents(gross.times('0.15'));
      return [
        moneyMovement({
          key: `${year}-${month}/dividend`,
          day,
          code: 'DIVIDEND',
          security: PENCE_SHARE,
          amount: gross.minus(taxes),
          gross,
          taxes,
        }),
      ];
    }),
  ];
}
