import type { Tx } from '../../base/database/tx.js';

/**
 * Removes the events of these links and sessions from the log, with their deliveries and the keys
 * of sealed bodies.
 */
export async function removeEventsOf(tx: Tx, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  await tx.$executeRaw`
    WITH removed AS (
      DELETE FROM webhook_events WHERE link_id = ANY(${[...subjects]}::text[]) RETURNING event_id)
    DELETE FROM data_keys WHERE owner IN (SELECT 'webhook-event/' || event_id FROM removed)`;
}
