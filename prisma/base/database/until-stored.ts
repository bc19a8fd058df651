import { setTimeout as pause } from 'node:timers/promises';
import { isTemporaryDatabaseFailure } from './database-failures.js';

const STORE_AGAIN_MS = 500;

/**
 * Stores data that a source has returned and will not return again: repeats the write while the
 * database is only temporarily unavailable, for `forMs` milliseconds.
 */
export async function untilStored<T>(write: () => Promise<T>, forMs: number): Promise<T> {
  const until = performance.now() + forMs;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isTemporaryDatabaseFailure(error) || performance.now() > until) throw error;
      await pause(STORE_AGAIN_MS);
    }
  }
}
