import type { Stage } from '../support/stage.js';

/** A promise of every client, in words that follow "The client", and its proof. */
export type Behavior = readonly [promise: string, hold: (stage: Stage) => Promise<void>];
