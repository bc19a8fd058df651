import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BankError } from './http/bank-error.js';

/** Waits a number of seconds, times the factor. When the bank closes in the meantime, the wait fails as unavailable. */
export function createPause(
  stopping: AbortSignal,
  factor: number,
): (seconds: number) => Promise<void> {
  // Every waiting request adds a listener.
  setMaxListeners(0, stopping);
  return async (seconds) => {
    if (seconds * factor <= 0) return;
    try {
      await delay(seconds * factor * 1_000, undefined, { signal: stopping });
    } catch {
      throw new BankError('bank_unavailable', 'The bank is closing.', { 'retry-after': '1' });
    }
  };
}
