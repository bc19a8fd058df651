import { MAX_DAYS } from './bounds.js';
import { daysOf, INTERVAL_RULES, INTERVALS } from './intervals.js';
import type { SearchedRow } from './recurring-row.js';
import { schedulesFor, type Schedule } from './schedules.js';

/** A payment on a date of a schedule, and its days after that date. */
export interface Hit {
  row: SearchedRow;
  off: number;
}

/** Rows of a group on the dates of a schedule. */
export interface Fit {
  schedule: Schedule;
  /** By slot, ascending. */
  hits: ReadonlyMap<number, Hit>;
  /** How often payments were missed between the first and the last; a pause is one gap. */
  gaps: number;
  /** Rows of the group that are on no date of their own: they distinguish shopping from a bill. */
  extras: number;
}

const MAX_GAPS = 1 / 6;
/** The share of the dates of a schedule that have a payment. */
const MIN_PAID = 2 / 3;
const MAX_EXTRAS = 1 / 10;
/** The weeks of a search and their extras: more rows are on no schedule. */
const MAX_ROWS = Math.ceil((MAX_DAYS / 7 + 1) * (1 + MAX_EXTRAS));

/** The schedule that explains most of these rows, oldest first; null = no schedule does. */
export function fitSchedule(group: readonly SearchedRow[]): Fit | null {
  if (group.length > MAX_ROWS) return null;
  const days = group.map(({ day }) => day);
  const span = (days.at(-1) ?? 0) - (days[0] ?? 0);
  let best: Fit | null = null;
  for (const interval of INTERVALS) {
    const slots = span / daysOf(interval);
    // Otherwise there are too many extras or gaps, wherever the dates are.
    if (group.length > (slots + 2) * (1 + MAX_EXTRAS)) continue;
    if (group.length < (slots - 1) * MIN_PAID) continue;
    for (const schedule of schedulesFor(interval, days)) {
      const fit = place(group, schedule);
      if (isRegular(fit) && (best === null || isBetter(fit, best))) best = fit;
    }
  }
  return best;
}

/** Places rows on a schedule; of several at one date, the nearest counts. */
export function place(group: readonly SearchedRow[], schedule: Schedule): Fit {
  const found = new Map<number, Hit>();
  for (const row of group) {
    const at = schedule.slotOf(row.day);
    if (at === null) continue;
    const known = found.get(at.slot);
    if (known === undefined || Math.abs(at.off) < Math.abs(known.off))
      found.set(at.slot, { row, off: at.off });
  }
  return countFit(schedule, found, group.length - found.size);
}

export function countFit(schedule: Schedule, found: ReadonlyMap<number, Hit>, extras: number): Fit {
  const hits = new Map([...found].sort(([one], [other]) => one - other));
  const slots = [...hits.keys()];
  const gaps = slots.filter((slot, at) => at > 0 && slot !== (slots[at - 1] ?? 0) + 1).length;
  return { schedule, hits, gaps, extras };
}

export function isRegular({ schedule, hits, gaps, extras }: Fit): boolean {
  return (
    hits.size >= earlyHits(schedule) &&
    gaps <= (hits.size + gaps) * MAX_GAPS &&
    hits.size >= slotsOf(hits) * MIN_PAID &&
    extras <= hits.size * MAX_EXTRAS
  );
}

function slotsOf(hits: Fit['hits']): number {
  const slots = [...hits.keys()];
  return (slots.at(-1) ?? 0) - (slots[0] ?? 0) + 1;
}

export function isMature({ schedule, hits }: Fit): boolean {
  return hits.size >= INTERVAL_RULES[schedule.interval].mature;
}

function earlyHits({ interval }: Schedule): number {
  return INTERVAL_RULES[interval].mature - 1;
}

function isBetter(one: Fit, other: Fit): boolean {
  if (one.hits.size !== other.hits.size) return one.hits.size > other.hits.size;
  if (one.gaps !== other.gaps) return one.gaps < other.gaps;
  return distance(one) < distance(other);
}

function distance({ hits }: Fit): number {
  let total = 0;
  for (const { off } of hits.values()) total += Math.abs(off);
  return total;
}

/**
 * The probability that payments without a date come this close to the dates, each with an amount as common as its own.
 * One row of them chose the dates.
 */
export function chanceOf(
  { schedule, hits }: Fit,
  shareOf: (row: SearchedRow) => number,
  candidates: number,
): number {
  const period = daysOf(schedule.interval);
  const factors = [...hits.values()].map(
    ({ row, off }) => Math.min(1, (2 * Math.abs(off) + 1) / period) * shareOf(row),
  );
  const [, ...others] = factors.sort((one, other) => one - other);
  return Math.min(1, others.reduce((product, factor) => product * factor, 1) * candidates);
}
