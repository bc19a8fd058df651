import { noAfterEffect, type AfterEffect } from '../../../../prisma/base/database/after-effect.js';

/** Storage of a call's response under its `Idempotency-Key`. Source: native-api 9. */
export interface KeyUse {
  /** Runs in the transaction of the effect. `present` builds the body from the effect alone. */
  keeping<Effect>(present: (effect: Effect) => unknown): AfterEffect<Effect>;
}

export const NO_KEY: KeyUse = { keeping: () => noAfterEffect };
