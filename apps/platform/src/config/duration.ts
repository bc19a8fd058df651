const MILLISECONDS_OF_UNIT = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
} as const;

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/**
 * Parses a duration in the format of settings, `250ms`, `30s`, `15m`, `6h`, `30d`, into whole milliseconds.
 * @throws RangeError for any other format
 */
export function parseDuration(text: string): number {
  const [, amount, unit] = DURATION.exec(text.trim()) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new RangeError('must be a duration such as 250ms, 30s, 15m, 6h or 30d');
  }
  return Math.round(
    Number(amount) * MILLISECONDS_OF_UNIT[unit as keyof typeof MILLISECONDS_OF_UNIT],
  );
}
