import type { Tx } from './tx.js';

/**
 * Work added as the last statement of an effect's transaction: it commits exactly when the effect
 * does.
 */
export type AfterEffect<Effect> = (tx: Tx, effect: Effect) => Promise<void>;

export const noAfterEffect: AfterEffect<unknown> = () => Promise.resolve();
