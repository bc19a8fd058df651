import { addDays } from '../../../domain/api/timestamps.js';
import type { TransactionWindow } from '../../contract/provider.js';
import type { FdxInstitution } from '../settings.js';

/** Banks may compare the day of a purchase, while the row has the day on which it posted. */
const EARLIER_DAYS = 7;

export interface RequestedDays {
  /** The days of the window that the bank still has. */
  covered: TransactionWindow;
  /** The parameters of the listing. */
  query: Readonly<Record<string, string>>;
}

/**
 * The days to request for a window. Banks compare different dates in different time zones, so these
 * are more days, and rows are filtered by their own day.
 * @returns null if the bank has no day of the window any more
 */
export function requestedDays(
  { historyDays }: Pick<FdxInstitution, 'historyDays'>,
  window: TransactionWindow,
  today: string,
): RequestedDays | null {
  const oldest = addDays(today, 1 - historyDays);
  const covered = { from: window.from < oldest ? oldest : window.from, to: window.to };
  if (covered.from > covered.to) return null;
  const earlier = addDays(covered.from, -EARLIER_DAYS);
  const end = addDays(covered.to, 1);
  const query = {
    startTime: earlier < oldest ? oldest : earlier,
    // Some banks refuse an end in the future; none requires one.
    ...(end > today ? {} : { endTime: end }),
  };
  return { covered, query };
}
