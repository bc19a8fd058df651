import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import { addDays, utcDay } from '../../../../domain/api/timestamps.js';

const DEFAULT_DAYS = 90;
/** Two years and a leap day: an account has at most one row for each. */
const MAX_DAYS = 731;

/**
 * The days of a balance history, both inclusive: by default the last 90 until today, by the clock of
 * the link. Source: native-api 3.5. @throws ApiError
 */
export function balanceDays(
  given: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: string; to: string } {
  const to = given.to ?? utcDay(now);
  const from = given.from ?? addDays(to, 1 - DEFAULT_DAYS);
  if (from > to) throw validationFailed([invalid(['query', 'from'], 'Must not be after to.')]);
  if (addDays(from, MAX_DAYS - 1) < to)
    throw validationFailed([
      invalid(['query', 'from'], `Must be at most ${MAX_DAYS - 1} days before to.`),
    ]);
  return { from, to };
}
