const DAY = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
/** Earlier than any bank row that is still read, and later than any planned one. */
const YEARS = { from: 1900, to: 2100 };

/**
 * A day as a bank writes it, `YYYY-MM-DD`. Banks that count 30 days a month write February 30,
 * which means the last day of that month.
 * @returns null for text that is not a day, or a day that no row has
 */
export function realDay(text: string): string | null {
  const [, year, month, day] = DAY.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  if (year < YEARS.from || year > YEARS.to) return null;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day <= last ? text : `${text.slice(0, 8)}${last}`;
}

/** Also false for an invalid time. */
export function isRealTime(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= YEARS.from && year <= YEARS.to;
}
