const DAY_MS = 86_400_000;

/** Days since 1970-01-01 of a `YYYY-MM-DD`. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export interface CalendarDay {
  /** Months since January of the year 0. */
  month: number;
  /** From 1. */
  dayOfMonth: number;
}

export function calendarDay(day: number): CalendarDay {
  const date = new Date(day * DAY_MS);
  return {
    month: date.getUTCFullYear() * 12 + date.getUTCMonth(),
    dayOfMonth: date.getUTCDate(),
  };
}

/** The day of a month, or its last day if it is shorter. */
export function dayInMonth(month: number, dayOfMonth: number): number {
  const first = firstDay(month);
  return Math.min(first + dayOfMonth - 1, firstDay(month + 1) - 1);
}

function firstDay(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS;
}
