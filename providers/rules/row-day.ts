import type { TransactionWindow } from '../contract/provider.js';

/**
 * The day of a row. Banks post rows ahead, such as card rows on the day of the bill: the first day
 * that has come counts then, which is that of the purchase. A row of which no day has come keeps
 * its own day, and a pending row without any day has the current one.
 * @param days as the bank has them, the one that counts first
 * @returns null for a posted row without a day
 */
export function dayOfRow(
  days: readonly (string | null)[],
  { pending, today }: { pending: boolean; today: string },
): string | null {
  const known = days.filter((day) => day !== null);
  return known.find((day) => day <= today) ?? known[0] ?? (pending ? today : null);
}

/** Whether a row is one of the window. A window up to today has no end: rows posted ahead count. */
export const isInWindow = (day: string, { from, to }: TransactionWindow, today: string): boolean =>
  day >= from && (day <= to || to >= today);
