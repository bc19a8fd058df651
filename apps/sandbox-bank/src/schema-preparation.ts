import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { prepareSchema } from './storage/schema.js';
import type { Database } from './storage/database.js';

const RETRY_EVERY_MS = 500;

/** Prepares the schema, trying until PostgreSQL lets it; resolves when done or when told to stop. */
export async function prepareSchemaWhenPossible(database: Database, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await prepareSchema(database);
      logger.info('sandbox_bank.schema_ready');
      return;
    } catch (error) {
      logger.warn({ err: error }, 'sandbox_bank.schema_not_ready');
      await delay(RETRY_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
