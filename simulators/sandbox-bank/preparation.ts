import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

const RETRY_EVERY_MS = 500;

/** Prepares the parts that need PostgreSQL, retrying until it succeeds; resolves when done or stopped. */
export async function prepareWhenPossible(
  prepare: () => Promise<void>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await prepare();
      logger.info('sandbox_bank.prepared');
      return;
    } catch (error) {
      logger.warn({ err: error }, 'sandbox_bank.not_prepared');
      await delay(RETRY_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
