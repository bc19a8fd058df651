import {
  chanceOf,
  countFit,
  fitSchedule,
  isMature,
  isRegular,
  place,
  type Fit,
} from './fit-schedule.js';
import { INTERVALS, INTERVAL_RULES } from './intervals.js';
import { groupRows } from './group-rows.js';
import type { SearchedRow } from './recurring-row.js';

/** A schedule that the rows of a counterparty keep. */
export interface FoundFit extends Fit {
  chance: number;
  /** Apart from changes of price. */
  hasEqualAmounts: boolean;
}

const MAX_CHANCE = 0.01;
/** Amounts of a counterparty that are looked at, so that none costs the square of its rows. */
const MAX_AMOUNTS = 40;
/** A change of price, and how many payments there are for each. */
const MAX_CHANGE = 1.5;
const ROWS_OF_A_PRICE = 6;
/** A price may change over a pause of up to three dates. */
const STEPS = [1, 2, 3, 4];
/** Of amounts that vary. */
const MAX_VARIATION = 3;
/** Shopping has a weekday, too, so payments that vary are bills from this many days on. */
const MIN_DAYS_OF_BILLS = 28;
/** Up to this many payments, a coincidence among other payments of the counterparty looks the same. */
const SHORT = 5;
/** The share of a counterparty's rows that short streams may leave unexplained. */
const MAX_UNEXPLAINED = 1 / 10;

/**
 * The schedules that rows of one counterparty, account, currency and direction keep, oldest row first; no row is in two.
 * Equal amounts come first, because several contracts with one counterparty differ by their amounts, unless one
 * schedule of all rows explains clearly more.
 */
export function findFits(
  rows: readonly SearchedRow[],
  shareOf: (row: SearchedRow) => number,
): FoundFit[] {
  const candidates = Math.max(1, amountClasses(rows).length) * INTERVALS.length;
  const judge = (fit: Fit, hasEqualAmounts: boolean): FoundFit | null => {
    const chance = chanceOf(fit, hasEqualAmounts ? shareOf : () => 1, candidates);
    return chance < MAX_CHANCE ? { ...fit, chance, hasEqualAmounts } : null;
  };
  const equal = equalFits(rows, judge);
  const varying = varyingFit(rows, judge);
  if (varying !== null && hitsOf(equal) < varying.hits.size * (1 - MAX_UNEXPLAINED))
    return [varying];
  const long = equal.filter(({ hits }) => hits.size > SHORT);
  const rest = varyingFit(without(rows, equal), judge);
  const sure = rest === null ? long : [...long, rest];
  const short = equal.filter((fit) => !long.includes(fit));
  const unexplained = without(rows, [...sure, ...short]).length;
  return unexplained <= rows.length * MAX_UNEXPLAINED ? [...sure, ...short] : sure;
}

type Judge = (fit: Fit, hasEqualAmounts: boolean) => FoundFit | null;

/** Two or more rows of one amount, the commonest amounts first. */
function amountClasses(rows: readonly SearchedRow[]): SearchedRow[][] {
  return [...groupRows(rows, ({ amount }) => amount).values()]
    .filter((group) => group.length > 1)
    .sort((one, other) => other.length - one.length || (one[0]?.size ?? 0) - (other[0]?.size ?? 0))
    .slice(0, MAX_AMOUNTS);
}

function equalFits(rows: readonly SearchedRow[], judge: Judge): FoundFit[] {
  const fits: FoundFit[] = [];
  const left = new Set(rows);
  for (const group of amountClasses(rows)) {
    const known = fitSchedule(group.filter((row) => left.has(row)));
    const fit = known === null ? null : judge(followPrices(known, [...left]), true);
    if (fit === null) continue;
    fits.push(fit);
    for (const { row } of fit.hits.values()) left.delete(row);
  }
  return fits;
}

/** Adds payments with a changed price on the dates that are free, outward from those of the known price. */
function followPrices(fit: Fit, rows: readonly SearchedRow[]): Fit {
  const free = place(rows, fit.schedule).hits;
  let known = fit;
  for (const direction of [1, -1]) {
    for (;;) {
      const longer = nextPrice(known, free, direction);
      if (longer === null) break;
      known = longer;
    }
  }
  return known;
}

/** The schedule with one more payment at its end, or at its start; null = none continues it. */
function nextPrice(fit: Fit, free: Fit['hits'], direction: number): Fit | null {
  const slots = [...fit.hits.keys()];
  const end = (direction > 0 ? slots.at(-1) : slots[0]) ?? 0;
  const slot = STEPS.map((steps) => end + steps * direction).find((at) => free.has(at));
  const [last, next] = [fit.hits.get(end), slot === undefined ? undefined : free.get(slot)];
  if (slot === undefined || last === undefined || next === undefined) return null;
  const change = Math.max(last.row.size, next.row.size) / Math.min(last.row.size, next.row.size);
  const longer = countFit(fit.schedule, new Map(fit.hits).set(slot, next), fit.extras);
  const isContinued =
    change <= MAX_CHANGE &&
    isRegular(longer) &&
    changesOf(longer) * ROWS_OF_A_PRICE <= longer.hits.size + ROWS_OF_A_PRICE;
  return isContinued ? longer : null;
}

function changesOf({ hits }: Fit): number {
  const amounts = [...hits.values()].map(({ row }) => row.amount);
  return amounts.filter((amount, at) => at > 0 && amount !== amounts[at - 1]).length;
}

/** Bills whose amounts vary, such as those for electricity. */
function varyingFit(rows: readonly SearchedRow[], judge: Judge): FoundFit | null {
  let least = Infinity;
  let most = 0;
  for (const { size } of rows) {
    least = Math.min(least, size);
    most = Math.max(most, size);
  }
  if (most > least * MAX_VARIATION) return null;
  const fit = fitSchedule(rows);
  if (fit === null || !isMature(fit)) return null;
  const { days, months } = INTERVAL_RULES[fit.schedule.interval];
  const isShopping =
    rows[0]?.type === 'debit' && months === undefined && (days ?? 0) < MIN_DAYS_OF_BILLS;
  return isShopping ? null : judge(fit, false);
}

function without(rows: readonly SearchedRow[], fits: readonly Fit[]): SearchedRow[] {
  const used = new Set(fits.flatMap(({ hits }) => [...hits.values()].map(({ row }) => row)));
  return rows.filter((row) => !used.has(row));
}

function hitsOf(fits: readonly Fit[]): number {
  return fits.reduce((total, { hits }) => total + hits.size, 0);
}
