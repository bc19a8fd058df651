import type { Tx } from './tx.js';

type LateWork = () => Promise<void>;

const ofTransactions = new WeakMap<Tx, LateWork[]>();

/**
 * Runs `work` as the last statements of the transaction, after those of its caller. For rows that
 * many transactions change: they are locked only for the commit, and always after every other row.
 * An error that `work` throws rolls the transaction back.
 */
export function beforeCommit(tx: Tx, work: LateWork): void {
  const queued = ofTransactions.get(tx);
  if (queued === undefined)
    throw new Error('beforeCommit needs a transaction of Database.transaction');
  queued.push(work);
}

/** For Database.transaction: collects what `tx` queues with `beforeCommit`. */
export function collectLateWork(tx: Tx): readonly LateWork[] {
  const queued: LateWork[] = [];
  ofTransactions.set(tx, queued);
  return queued;
}
