import { dayOf } from '../transactions/day-number.js';

/** Days are numbers since 1970-01-01, as in day-number.ts. */

/** The first day of every portfolio, a Tuesday. */
export const FIRST_DAY = dayOf(2024, 1, 2);

/** Prices and trades exist from Monday to Friday. */
export const isTradingDay = (day: number): boolean => ![0, 6].includes(weekdayOf(day));

/** The day, or the first trading day after it. */
export function tradingDayFrom(day: number): number {
  return isTradingDay(day) ? day : tradingDayFrom(day + 1);
}

/** The day, or the last trading day before it. */
export function tradingDayUntil(day: number): number {
  return isTradingDay(day) ? day : tradingDayUntil(day - 1);
}

/** Options end on it. */
export function thirdFriday(year: number, month: number): number {
  const first = dayOf(year, month, 1);
  return first + ((5 - weekdayOf(first) + 7) % 7) + 14;
}

/** The months from the first day of the portfolios to a day, the latter's included. */
export function monthsUntil(day: number): { year: number; month: number }[] {
  const months: { year: number; month: number }[] = [];
  for (let month = 1; dayOf(2024, month, 1) <= day; month += 1)
    months.push({ year: 2024 + Math.floor((month - 1) / 12), month: ((month - 1) % 12) + 1 });
  return months;
}

/** 0 = Sunday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;
