import { Decimal } from 'decimal.js';
import { dateOfDay } from './calendar-days.js';
import type { FoundFit } from './find-fits.js';
import { isMature, type Hit } from './fit-schedule.js';
import { daysOf } from './intervals.js';
import type { SearchedRow } from './recurring-row.js';
import type { NextPayment, Stream, StreamAmounts, StreamKey, StreamStatus } from './stream.js';

/** Of bills that vary: their recent payments tell what the next one costs. */
const RECENT = 12;
/** A pending row may differ this much from the payments before it. */
const PENDING_CHANGE = 1.3;
/** What ended sooner was a number of installments, or a coincidence. */
const MIN_ENDED = 6;
const SMALLEST_CHANCE = 1e-9;
const AVERAGE_DIGITS = 4;

/** A schedule as users see it; null = it is too short to be shown after its end. */
export function describeStream(
  fit: FoundFit,
  {
    key,
    pending,
    now,
    isTransfer,
  }: {
    key: StreamKey;
    /** Rows of the same counterparty, direction and currency that are not posted. */
    pending: readonly SearchedRow[];
    now: number;
    isTransfer: (row: SearchedRow) => boolean;
  },
): Stream | null {
  const hits = [...fit.hits.values()].toSorted((one, other) => one.row.day - other.row.day);
  const rows = hits.map(({ row }) => row);
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return null;
  const amounts = amountsOf(rows, fit.hasEqualAmounts);
  const next = nextPayment(fit, { hits, amounts, pending, now });
  const status = statusOf(fit, next);
  if (status === null) return null;
  return {
    accountId: last.accountId,
    direction: last.type === 'credit' ? 'in' : 'out',
    label: last.merchantName ?? last.counterpartyName ?? last.description,
    description: last.description,
    merchantName: last.merchantName,
    category: last.category,
    interval: fit.schedule.interval,
    amounts,
    average: averageOf(rows),
    firstDate: first.date,
    lastDate: last.date,
    status,
    next,
    isTransfer: rows.filter(isTransfer).length * 2 > rows.length,
    transactionIds: rows.map(({ transactionId }) => transactionId).toReversed(),
    why: {
      key,
      hits: fit.hits.size,
      gaps: fit.gaps,
      extras: fit.extras,
      chance: Number(Math.max(fit.chance, SMALLEST_CHANCE).toPrecision(1)),
    },
  };
}

function statusOf(fit: FoundFit, next: NextPayment | null): StreamStatus | null {
  if (next !== null) return isMature(fit) ? 'mature' : 'early';
  return fit.hits.size >= MIN_ENDED ? 'ended' : null;
}

function amountsOf(rows: readonly SearchedRow[], hasEqualAmounts: boolean): StreamAmounts {
  const last = rows.at(-1)?.amount ?? '0';
  const changed = rows.findLastIndex(({ amount }) => amount !== last) + 1;
  const sorted = bySize(rows);
  const current = bySize(hasEqualAmounts ? rows.slice(changed) : rows);
  return {
    last,
    typical: current[Math.floor((current.length - 1) / 2)]?.amount ?? last,
    min: sorted[0]?.amount ?? last,
    max: sorted.at(-1)?.amount ?? last,
    currency: rows[0]?.currency ?? '',
    changedOn: hasEqualAmounts && changed > 0 ? (rows[changed]?.date ?? null) : null,
  };
}

function bySize(rows: readonly SearchedRow[]): SearchedRow[] {
  return rows.toSorted((one, other) => new Decimal(one.amount).comparedTo(other.amount));
}

/** Exact until the division, which is rounded half to even. */
function averageOf(rows: readonly SearchedRow[]): string {
  const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN });
  const total = rows.reduce((sum, { amount }) => sum.plus(amount), new Exact(0));
  return total
    .dividedBy(rows.length)
    .toDecimalPlaces(total.decimalPlaces() + AVERAGE_DIGITS)
    .toFixed();
}

/** The first date that has not passed; null = it and the one after it passed without a payment. */
function nextPayment(
  { schedule, hits, hasEqualAmounts }: FoundFit,
  known: {
    hits: readonly Hit[];
    amounts: StreamAmounts;
    pending: readonly SearchedRow[];
    now: number;
  },
): NextPayment | null {
  const offs = known.hits.map(({ off }) => off);
  const early = Math.min(0, ...offs);
  const late = Math.max(0, ...offs);
  const lastSlot = Math.max(...hits.keys());
  const [least, most] = nextAmounts(known.hits, known.amounts, hasEqualAmounts);
  const pending = known.pending.find(
    (row) =>
      (schedule.slotOf(row.day)?.slot ?? 0) > lastSlot &&
      row.size <= Number(most) * PENDING_CHANGE &&
      row.size >= Number(least) / PENDING_CHANGE,
  );
  if (pending !== undefined)
    return {
      expected: pending.date,
      earliest: pending.date,
      latest: pending.date,
      amountMin: pending.amount,
      amountMax: pending.amount,
    };
  const firstMissed = schedule.dayOf(lastSlot + 1) + late;
  if (known.now > firstMissed + daysOf(schedule.interval)) return null;
  let slot = lastSlot + 1;
  while (schedule.dayOf(slot) + late < known.now) slot += 1;
  const expected = schedule.dayOf(slot);
  return {
    expected: dateOfDay(expected),
    earliest: dateOfDay(expected + early),
    latest: dateOfDay(expected + late),
    amountMin: least,
    amountMax: most,
  };
}

function nextAmounts(
  hits: readonly Hit[],
  { last }: StreamAmounts,
  hasEqualAmounts: boolean,
): [least: string, most: string] {
  if (hasEqualAmounts) return [last, last];
  const sorted = bySize(hits.slice(-RECENT).map(({ row }) => row));
  return [sorted[0]?.amount ?? last, sorted.at(-1)?.amount ?? last];
}
