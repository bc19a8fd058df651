const HOUR_MS = 3_600_000;
const HOURS = 24;

/** The starts of the current hour and of the 23 before it, oldest first. */
export function hoursUntil(now: Date): Date[] {
  const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from(
    { length: HOURS },
    (_, index) => new Date(current - (HOURS - 1 - index) * HOUR_MS),
  );
}

/** The items of each hour; those of other times are left out. */
export function byHour<Item>(
  hours: readonly Date[],
  items: readonly Item[],
  timeOf: (item: Item) => Date,
): { hour: Date; items: Item[] }[] {
  return hours.map((hour) => ({
    hour,
    items: items.filter((item) => {
      const since = timeOf(item).getTime() - hour.getTime();
      return since >= 0 && since < HOUR_MS;
    }),
  }));
}
