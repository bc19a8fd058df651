import type { Decimal } from 'decimal.js';
import { drawsFrom } from '../accounts/draws.js';
import { Exact } from '../accounts/figures.js';
import type { Security } from './security.js';
import { FIRST_DAY, tradingDayFrom, tradingDayUntil } from './trading-days.js';
import { dayOf } from '../transactions/day-number.js';

/** The prices of one world, which are the same for all customers in it. */
export interface Market {
  /** In main currency: pounds, where the bank quotes pence. */
  priceOn(security: Security, day: number): Decimal;
  /** The newest price that the bank shows on a day, and the day for which it holds. */
  quoteOn(security: Security, day: number): { price: Decimal; asOf: number };
}

export function createMarket(worldSeed: string): Market {
  const walks = new Map<string, (day: number) => number>();

  function priceOn(security: Security, day: number): Decimal {
    const walk = walks.get(security.key) ?? walkOf(worldSeed, security);
    walks.set(security.key, walk);
    const price = new Exact(walk(day)).dividedBy(10 ** security.decimals);
    return security.splits ? price.dividedBy(splitFactorOn(day)) : price;
  }

  return {
    priceOn,
    quoteOn(security, day) {
      const asOf = tradingDayUntil(security.isQuotedLate ? day - 1 : day);
      return { price: priceOn(security, asOf), asOf };
    },
  };
}

/** An integer walk over trading days, which stays between half and twice its start. */
function walkOf(
  worldSeed: string,
  { key, walk: { start, step, from } }: Security,
): (day: number) => number {
  if (step === 0) return () => start;
  const draws = drawsFrom(JSON.stringify([worldSeed, 'price', key]));
  const ticks = [start];
  let lastDay = from;
  const byDay = new Map([[from, 0]]);
  return (wanted) => {
    const day = Math.max(from, tradingDayUntil(wanted));
    while (lastDay < day) {
      lastDay = tradingDayFrom(lastDay + 1);
      const moved = (ticks.at(-1) ?? start) + draws.integer(-step, step);
      byDay.set(lastDay, ticks.length);
      ticks.push(Math.min(Math.max(moved, Math.ceil(start / 2)), start * 2));
    }
    return ticks[byDay.get(day) ?? 0] ?? start;
  };
}

/** The day of a year's split. */
export const splitDayOf = (year: number): number => tradingDayFrom(dayOf(year, 7, 1));

/** The shares that one of the first day has become: 1 or 2. */
export function splitFactorOn(day: number): 1 | 2 {
  const year = new Date(Math.max(day, FIRST_DAY) * 86_400_000).getUTCFullYear();
  const splits = year - 2024 + (day >= splitDayOf(year) ? 1 : 0);
  return splits % 2 === 0 ? 1 : 2;
}
