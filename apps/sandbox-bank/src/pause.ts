import { setTimeout as delay } from 'node:timers/promises';
import { BankError } from './http/bank-error.js';

/** Waits. When the bank closes meanwhile, the wait fails as unavailable. */
export function createPause(stopping: AbortSignal): (milliseconds: number) => Promise<void> {
  return async (milliseconds) => {
    if (milliseconds <= 0) return;
    try {
      await delay(milliseconds, undefined, { signal: stopping });
    } catch {
      throw new BankError('bank_unavailable', 'The bank is closing.', { 'retry-after': '1' });
    }
  };
}
