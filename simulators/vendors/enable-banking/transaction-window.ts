import { dayOf, daysBefore } from '../ledger/day.js';
import type { AspspFacts } from './aspsps.js';
import { refusal } from './errors.js';

const USUAL_HISTORY_DAYS = 90;
const LONG_HISTORY_FOR_MS = 3 * 60_000;

/** Days, both included. */
export interface TransactionWindow {
  from: string;
  to: string;
}

/**
 * The window that a listing covers.
 * @param loginAt banks of that kind return the whole history for three minutes from then on
 * @throws Refusal 422 for invalid dates, in the wrong order, in the future, or before the history
 *   of the bank
 */
export function readWindow(
  query: URLSearchParams,
  { history }: Pick<AspspFacts, 'history'>,
  { now, loginAt }: { now: Date; loginAt: Date },
): TransactionWindow {
  const from = readDay(query, 'date_from');
  const to = readDay(query, 'date_to');
  const today = dayOf(now);
  const strategy = query.get('strategy') ?? 'default';
  if (!['default', 'longest'].includes(strategy)) {
    throw refusal('WRONG_REQUEST_PARAMETERS', 'strategy must be default or longest');
  }
  if (to !== null && from === null) throw refusal('DATE_TO_WITHOUT_DATE_FROM');
  if (from !== null && from > today) throw refusal('DATE_FROM_IN_FUTURE');
  if (from !== null && to !== null && from > to) throw refusal('WRONG_DATE_INTERVAL');

  const isLong = history === 'any_time' || now.getTime() - loginAt.getTime() <= LONG_HISTORY_FOR_MS;
  const usual = dayOf(daysBefore(now, USUAL_HISTORY_DAYS));
  if (strategy === 'longest') {
    const longest = isLong ? '0000-01-01' : usual;
    // date_to does not count here
    return { from: from !== null && from > longest ? from : longest, to: today };
  }
  if (from !== null && from < usual && !isLong) {
    throw refusal('WRONG_TRANSACTIONS_PERIOD', `The bank goes back ${USUAL_HISTORY_DAYS} days`);
  }
  return { from: from ?? usual, to: to ?? today };
}

function readDay(query: URLSearchParams, name: string): string | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) {
    throw refusal('WRONG_REQUEST_PARAMETERS', `${name} must be a date`);
  }
  return text;
}
