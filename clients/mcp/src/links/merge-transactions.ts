import type { Transaction } from '@tributary/node';
import { inOrder, type Position, type TransactionWalk } from './transaction-walk.js';

export interface MergeBounds<Row> {
  /** The position from which the walks were opened. */
  after: Position | null;
  /** Rows that are looked at, and rows that are returned. */
  maxCompared: number;
  maxRows: number;
  /** What is returned for a row; undefined leaves it out. */
  pick: (row: Transaction, linkId: string) => Row | undefined;
  /**
   * Fills a walk (`TransactionWalk.fill`).
   * @returns `failed` if its link is to be left out, `stopped` if the time is over
   */
  fill: (walk: TransactionWalk) => Promise<'filled' | 'failed' | 'stopped'>;
}

export interface Merged<Row> {
  rows: Row[];
  /** The position of the last row that was looked at; null if none is left after it. */
  next: Position | null;
}

/** Takes the rows of several links in one order, newest first. */
export async function mergeTransactions<Row>(
  opened: readonly TransactionWalk[],
  { after, maxCompared, maxRows, pick, fill }: MergeBounds<Row>,
): Promise<Merged<Row>> {
  let walks = [...opened];
  let rows: { linkId: string; picked: Row }[] = [];
  let next = after;
  const merged = (end: Position | null) => ({ rows: rows.map(({ picked }) => picked), next: end });
  for (let compared = 0; ; compared += 1) {
    for (const walk of walks.filter(({ first, isDone }) => first === undefined && !isDone)) {
      const outcome = await fill(walk);
      if (outcome === 'stopped') return merged(next);
      if (outcome === 'filled') continue;
      walks = walks.filter((other) => other !== walk);
      rows = rows.filter(({ linkId }) => linkId !== walk.link.link_id);
    }
    walks = walks.filter(({ isDone }) => !isDone);
    const newest = firstOf(walks);
    if (newest === undefined) return merged(null);
    if (compared === maxCompared || rows.length === maxRows) return merged(next);
    const row = newest.take() as Transaction;
    next = row;
    const linkId = newest.link.link_id;
    const picked = pick(row, linkId);
    if (picked !== undefined) rows.push({ linkId, picked });
  }
}

function firstOf(walks: readonly TransactionWalk[]): TransactionWalk | undefined {
  return walks.reduce<TransactionWalk | undefined>(
    (best, walk) =>
      best === undefined || inOrder(walk.first as Position, best.first as Position) < 0
        ? walk
        : best,
    undefined,
  );
}
