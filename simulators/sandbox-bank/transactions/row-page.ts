import { isoDateOf } from './day-number.js';

/** The position of a row in a listing, newest day first. */
export interface RowPosition {
  bookingDate: string;
  transactionId: string;
}

export interface RowWindow {
  /** Day numbers, both included. */
  first: number;
  last: number;
  size: number;
  /** The last row of the previous page; null = from the newest. */
  after: RowPosition | null;
}

interface Row {
  booking_date: string;
  transaction_id: string;
}

export interface RowPage<Listed extends Row> {
  transactions: Listed[];
  /** The last row of this page, or null when it is the last page. */
  end: RowPosition | null;
}

/** Rows of a window, newest day first. */
export function pageOf<Listed extends Row>(
  rows: readonly Listed[],
  { first, last, size, after }: RowWindow,
): RowPage<Listed> {
  const [from, to] = [isoDateOf(first), isoDateOf(last)];
  const listed = rows
    .filter((row) => row.booking_date >= from && row.booking_date <= to)
    .sort((a, b) => compare(positionOf(a), positionOf(b)))
    .filter((row) => after === null || compare(positionOf(row), after) > 0);
  const transactions = listed.slice(0, size);
  const end = transactions.at(-1);
  return { transactions, end: listed.length > size && end !== undefined ? positionOf(end) : null };
}

function positionOf(row: Row): RowPosition {
  return { bookingDate: row.booking_date, transactionId: row.transaction_id };
}

function compare(a: RowPosition, b: RowPosition): number {
  if (a.bookingDate !== b.bookingDate) return a.bookingDate > b.bookingDate ? -1 : 1;
  if (a.transactionId === b.transactionId) return 0;
  return a.transactionId < b.transactionId ? -1 : 1;
}
