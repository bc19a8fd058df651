import { calendarDay, dayInMonth } from './calendar-days.js';
import { INTERVAL_RULES, type Interval } from './intervals.js';

/** Dates on which payments are expected, numbered by slot. */
export interface Schedule {
  interval: Interval;
  dayOf(slot: number): number;
  /** The slot of a payment and its days after that date; null = too far from every date. */
  slotOf(day: number): { slot: number; off: number } | null;
}

const LONGEST_MONTH = 31;
const DAY_TOLERANCE = 4;
/** Of the two payments of a month. */
const MIN_DAYS_APART = 10;

/** The schedules of an interval that fit most of these days. */
export function schedulesFor(interval: Interval, days: readonly number[]): Schedule[] {
  const { days: length, months, tolerance } = INTERVAL_RULES[interval];
  if (length !== undefined)
    return [everyDays(interval, length, bestPhase(days, length, tolerance))];
  const ofMonth = days.map((day) => calendarDay(day).dayOfMonth);
  const best = bestDayOfMonth(ofMonth);
  if (best === null) return [];
  if (months === undefined) return twiceAMonth(interval, ofMonth, best);
  // A payment at the end of the month has a date of its own in each.
  const daysTried = ofMonth.every((day) => day >= 28) ? [31, best] : [best];
  return daysTried.map((day) => everyMonths(interval, months, day, days));
}

function everyDays(interval: Interval, length: number, phase: number): Schedule {
  const { tolerance } = INTERVAL_RULES[interval];
  const dayOf = (slot: number): number => slot * length + phase;
  return {
    interval,
    dayOf,
    slotOf: (day) => {
      const slot = Math.round((day - phase) / length);
      return within(slot, day - dayOf(slot), tolerance);
    },
  };
}

function everyMonths(
  interval: Interval,
  months: number,
  dayOfMonth: number,
  days: readonly number[],
): Schedule {
  const { tolerance } = INTERVAL_RULES[interval];
  const nearestMonth = (day: number): { month: number; off: number } => {
    const { month: own } = calendarDay(day);
    let nearest = { month: own, off: day - dayInMonth(own, dayOfMonth) };
    for (const month of [own - 1, own + 1]) {
      const off = day - dayInMonth(month, dayOfMonth);
      if (Math.abs(off) < Math.abs(nearest.off)) nearest = { month, off };
    }
    return nearest;
  };
  const phase = months === 1 ? 0 : commonest(days.map((day) => nearestMonth(day).month % months));
  return {
    interval,
    dayOf: (slot) => dayInMonth(slot * months + phase, dayOfMonth),
    slotOf: (day) => {
      const { month, off } = nearestMonth(day);
      if ((month - phase) % months !== 0) return null;
      return within((month - phase) / months, off, tolerance);
    },
  };
}

/** Two days that lie about half a month apart. */
function twiceAMonth(interval: Interval, ofMonth: readonly number[], best: number): Schedule[] {
  const { tolerance } = INTERVAL_RULES[interval];
  const other = bestDayOfMonth(
    ofMonth.filter((day) => circular(day, best, LONGEST_MONTH) >= MIN_DAYS_APART),
  );
  if (other === null) return [];
  const pair = [Math.min(best, other), Math.max(best, other)] as const;
  const dayOf = (slot: number): number =>
    dayInMonth(Math.floor(slot / 2), slot % 2 === 0 ? pair[0] : pair[1]);
  return [
    {
      interval,
      dayOf,
      slotOf: (day) => {
        const own = calendarDay(day).month * 2;
        let nearest = { slot: own, off: day - dayOf(own) };
        for (const slot of [own - 1, own + 1, own + 2]) {
          const off = day - dayOf(slot);
          if (Math.abs(off) < Math.abs(nearest.off)) nearest = { slot, off };
        }
        return within(nearest.slot, nearest.off, tolerance);
      },
    },
  ];
}

function within(slot: number, off: number, tolerance: number) {
  return Math.abs(off) <= tolerance ? { slot, off } : null;
}

/** The remainder of a division by `length` that has most days near it. */
function bestPhase(days: readonly number[], length: number, tolerance: number): number {
  const phases = days.map((day) => day % length);
  return nearest(phases, phases, { length, tolerance });
}

/** The day of the month that has most others near it; null = there are none. */
function bestDayOfMonth(ofMonth: readonly number[]): number | null {
  return ofMonth.length === 0
    ? null
    : nearest(ofMonth, ofMonth, { length: LONGEST_MONTH, tolerance: DAY_TOLERANCE });
}

/** The candidate on a circle with most values near it; of equal ones, the closest to them. */
function nearest(
  candidates: readonly number[],
  values: readonly number[],
  { length, tolerance }: { length: number; tolerance: number },
): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best = { candidate: candidates[0] ?? 0, near: -1, distance: Infinity };
  for (const candidate of [...new Set(candidates)].sort((one, other) => one - other)) {
    let near = 0;
    let distance = 0;
    for (const [value, count] of counts) {
      const apart = circular(value, candidate, length);
      if (apart > tolerance) continue;
      near += count;
      distance += apart * count;
    }
    if (near > best.near || (near === best.near && distance < best.distance))
      best = { candidate, near, distance };
  }
  return best.candidate;
}

function circular(one: number, other: number, length: number): number {
  const apart = Math.abs(one - other);
  return Math.min(apart, length - apart);
}

function commonest(values: readonly number[]): number {
  return nearest(values, values, { length: Infinity, tolerance: 0 });
}
