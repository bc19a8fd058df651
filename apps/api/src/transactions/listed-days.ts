import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import { addDays, utcDay } from '../../../../domain/api/timestamps.js';

const DEFAULT_DAYS = 90;

/**
 * The days a list of transactions covers, both inclusive; null when it would end before it starts.
 * Source: native-api 3.6.
 */
export function listedDays(
  given: { start_date?: string; end_date?: string },
  now: Date,
): { start: string; end: string } | null {
  const end = given.end_date ?? utcDay(now);
  const start = given.start_date ?? addDays(end, 1 - DEFAULT_DAYS);
  return start > end ? null : { start, end };
}

/** The same for a request; the default end is today by the clock of the link. @throws ApiError */
export function daysOf(
  query: { start_date?: string; end_date?: string },
  now: Date,
): { start: string; end: string } {
  const days = listedDays(query, now);
  if (days === null)
    throw validationFailed([invalid(['query', 'start_date'], 'Must not be after end_date.')]);
  return days;
}
