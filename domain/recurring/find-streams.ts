import { Decimal } from 'decimal.js';
import { MAX_DAYS, MAX_ROWS, MAX_STREAMS } from './bounds.js';
import { dayNumber } from './calendar-days.js';
import { describeStream } from './describe-stream.js';
import { dropReversals } from './drop-reversals.js';
import { findFits } from './find-fits.js';
import { groupByParty, type Party } from './group-by-party.js';
import { groupRows } from './group-rows.js';
import { ownTransfers } from './own-transfers.js';
import { compare, oldestFirst, type RecurringRow, type SearchedRow } from './recurring-row.js';
import { STREAM_STATUSES, type Stream } from './stream.js';

/** Rows that are prepared at a time. */
const SLICE = 500;

/** Finds the payments that return among the rows of one link. `today` is a `YYYY-MM-DD`. Source: native-api 3.12. */
export function findStreams(rows: readonly RecurringRow[], today: string): Stream[] {
  const search = searchStreams(rows, today);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps, between which a process serves other calls. */
export function* searchStreams(
  rows: readonly RecurringRow[],
  today: string,
): Generator<void, Stream[]> {
  const now = dayNumber(today);
  const searched = yield* prepare(rows, now - MAX_DAYS);
  const posted = searched.filter(({ pending }) => !pending);
  const isTransfer = ownTransfers(posted);
  const streams: Stream[] = [];
  for (const account of groupRows(searched, ({ accountId }) => accountId).values()) {
    yield;
    const shareOf = amountShares(account);
    for (const party of yield* groupByParty(account)) {
      yield;
      for (const { rows: side, pending } of sidesOf(party)) {
        for (const fit of findFits(side, shareOf)) {
          const stream = describeStream(fit, { key: party.key, pending, now, isTransfer });
          if (stream !== null) streams.push(stream);
        }
      }
    }
  }
  return streams.sort(byImportance).slice(0, MAX_STREAMS);
}

/** The newest rows, oldest first, so that the order in which they come decides nothing. */
function* prepare(rows: readonly RecurringRow[], first: number): Generator<void, SearchedRow[]> {
  const searched: SearchedRow[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % SLICE === 0) yield;
    const day = dayNumber(row.date);
    const amount = new Decimal(row.amount);
    if (day < first || amount.isZero()) continue;
    searched.push({ ...row, day, amount: amount.toFixed(), size: amount.toNumber() });
  }
  return searched.sort(oldestFirst).slice(-MAX_ROWS);
}

/** The share of an account's rows that have the amount of a row. */
function amountShares(rows: readonly SearchedRow[]): (row: SearchedRow) => number {
  const nameOf = ({ type, amount, currency }: SearchedRow) => `${type} ${amount} ${currency}`;
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(nameOf(row), (counts.get(nameOf(row)) ?? 0) + 1);
  return (row) => (counts.get(nameOf(row)) ?? 0) / rows.length;
}

interface Side {
  rows: SearchedRow[];
  pending: SearchedRow[];
}

/** The rows of a counterparty by direction and currency. */
function sidesOf({ rows }: Party): Side[] {
  const kept = dropReversals(rows);
  const sides = groupRows(kept, ({ type, currency }) => `${type} ${currency}`);
  return [...sides.values()].map((side) => ({
    rows: side.filter(({ pending }) => !pending),
    pending: side.filter(({ pending }) => pending),
  }));
}

function byImportance(one: Stream, other: Stream): number {
  return (
    STREAM_STATUSES.indexOf(one.status) - STREAM_STATUSES.indexOf(other.status) ||
    compare(other.lastDate, one.lastDate) ||
    compare(one.transactionIds[0] ?? '', other.transactionIds[0] ?? '')
  );
}
