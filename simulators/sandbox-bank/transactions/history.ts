import { dayNumberOf } from './day-number.js';

/** Days a customer can look back, today included. Source: link-lifecycle 13.2. */
export const HISTORY_DAYS = 730;

/** First and last day of history at a moment. */
export function historyAt(now: Date): { first: number; last: number } {
  const today = dayNumberOf(now);
  return { first: today - (HISTORY_DAYS - 1), last: today };
}
