const DAY_SECONDS = 86_400;
const NOON_SECONDS = DAY_SECONDS / 2;

/**
 * The instant that stands for a day, `YYYY-MM-DD`: noon in UTC, which is the same day from UTC-12 to
 * UTC+11. Clients compute the day in the time zone of their server.
 */
export const noonOf = (day: string): number =>
  Date.parse(`${day}T00:00:00Z`) / 1_000 + NOON_SECONDS;

/** The days, both included, whose noon is in a window of epoch seconds; `end` is excluded. */
export function daysWithin({ start, end }: { start: number | null; end: number | null }): {
  first: string | null;
  last: string | null;
} {
  return {
    first: start === null ? null : dayNumbered(Math.ceil((start - NOON_SECONDS) / DAY_SECONDS)),
    last: end === null ? null : dayNumbered(Math.ceil((end - NOON_SECONDS) / DAY_SECONDS) - 1),
  };
}

const dayNumbered = (days: number): string =>
  new Date(days * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
