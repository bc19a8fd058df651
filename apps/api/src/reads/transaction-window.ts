import { addDays, utcDay } from '../../../../domain/timestamps.js';

const DEFAULT_DAYS = 90;

/** The days a list of transactions covers, both inclusive; null when it would end before it begins. Source: native-api 3.6. */
export function listedDays(given: { start_date?: string; end_date?: string }, now: Date): { start: string; end: string } | null {
  const end = given.end_date ?? utcDay(now);
  const start = given.start_date ?? addDays(end, 1 - DEFAULT_DAYS);
  return start > end ? null : { start, end };
}
