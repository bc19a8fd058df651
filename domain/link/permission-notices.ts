/**
 * The time of the next notice that a permission will end; null = none is left. `notices` are the
 * times before the end in milliseconds. Without `after`, it is the first one, even if it is overdue:
 * an end that is learned of late is announced at once. Several overdue ones are announced together.
 */
export function nextNotice(
  endsAt: Date | null,
  notices: readonly number[],
  after?: Date,
): Date | null {
  if (endsAt === null) return null;
  const times = notices
    .map((ms) => endsAt.getTime() - ms)
    .filter((time) => after === undefined || time > after.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}
