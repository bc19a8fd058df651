import type { Tx } from './tx.js';

/** What else belongs to the transaction of an effect, as its last statement: it is there exactly when the effect is. */
export type AfterEffect<Effect> = (tx: Tx, effect: Effect) => Promise<void>;

export const nothingElse: AfterEffect<unknown> = () => Promise.resolve();
