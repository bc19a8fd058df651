const FORM =
  /^P(?:(\d{1,6}(?:\.\d+)?)W)?(?:(\d{1,6}(?:\.\d+)?)D)?(?:T(?:(\d{1,6}(?:\.\d+)?)H)?(?:(\d{1,7}(?:\.\d+)?)M)?(?:(\d{1,9}(?:\.\d+)?)S)?)?$/;
const UNITS_MS = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000];

/**
 * Parses an ISO 8601 duration in weeks, days, hours, minutes and seconds, such as `PT6H`, into
 * milliseconds. Null = not a duration.
 */
export function parseIsoDuration(text: string): number | null {
  const parts = FORM.exec(text)?.slice(1);
  if (parts === undefined || text.endsWith('T') || parts.every((part) => part === undefined))
    return null;
  return Math.round(
    parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (UNITS_MS[index] ?? 0), 0),
  );
}
