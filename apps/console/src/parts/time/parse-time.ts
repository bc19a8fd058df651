const TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * A time of the API, which is UTC where it has no offset: `new Date(text)` takes such a time for a
 * local one.
 * @returns null for any other text
 */
export function parseTime(text: string): Date | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '0', offset = 'Z'] = match;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const date = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`,
  );
  return Number.isNaN(date.getTime()) ? null : date;
}
