import { setMaxListeners } from 'node:events';
import type { Client } from '@temporalio/client';

/**
 * Runs calls to Temporal that are canceled when one of the signals fires. The SDK leaves a listener
 * on its signal for each call, so this work gets a signal of its own: those of the process live on.
 */
export async function callUntil<T>(
  client: Client,
  signals: readonly AbortSignal[],
  work: () => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const cancel = (): void => own.abort();
  for (const signal of signals) {
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
  }
  try {
    return await client.withAbortSignal(own.signal, work);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', cancel);
  }
}
