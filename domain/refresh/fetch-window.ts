import type { DayWindow } from './fetched-data.js';
import { addDays, utcDay } from '../api/timestamps.js';

/**
 * Days of history that a transactions fetch covers, today included. Source: link-lifecycle 2.3,
 * 7.5, 13.2.
 */
const RECENT_DAYS = 90;
const FULL_HISTORY_DAYS = 730;

/**
 * The days to request from the institution. `now` is the link's clock; `historyDays` is the number
 * requested at linking (plaid-compat 6.1), null = not specified.
 */
export function transactionWindow(
  extendHistory: boolean,
  now: Date,
  historyDays: number | null = null,
): DayWindow {
  const to = utcDay(now);
  const maxDays = extendHistory ? FULL_HISTORY_DAYS : RECENT_DAYS;
  return { from: addDays(to, 1 - Math.min(historyDays ?? maxDays, maxDays)), to };
}
