const MILLISECONDS_PER_DAY = 86_400_000;

/** Days since 1970-01-01 (UTC), in which all rules about rows are written. */
export function dayNumberOf(moment: Date): number {
  return Math.floor(moment.getTime() / MILLISECONDS_PER_DAY);
}

/** The day number of a date; months count from 1, and may be out of their range. */
export function dayOf(year: number, month: number, dayOfMonth: number): number {
  return Date.UTC(year, month - 1, dayOfMonth) / MILLISECONDS_PER_DAY;
}

/** `YYYY-MM-DD` of a day number. */
export function isoDateOf(dayNumber: number): string {
  return new Date(dayNumber * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
}

/** The day number of `YYYY-MM-DD`, or null when there is no such day. */
export function dayNumberFromIsoDate(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const moment = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(moment.getTime())) return null;
  const dayNumber = dayNumberOf(moment);
  // 30 February parses as 1 or 2 March
  return isoDateOf(dayNumber) === text ? dayNumber : null;
}

/** Days a customer can look back, today included. Source: link-lifecycle 13.2. */
export const HISTORY_DAYS = 730;

/** First and last day of history at a moment. */
export function historyAt(now: Date): { first: number; last: number } {
  const today = dayNumberOf(now);
  return { first: today - (HISTORY_DAYS - 1), last: today };
}
