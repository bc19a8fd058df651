import type { Context } from '../context.js';

const AT_ONCE = 500;
const MOST_ROUNDS = 40;

/**
 * WEBHOOK_EVENT_RETENTION: removes events created before a time from the log, with their deliveries
 * and attempts, a few per transaction. An event with an open delivery stays until that ends.
 * @returns the number of removed events
 */
export async function removeOldEvents(
  { database: { pool } }: Pick<Context, 'database'>,
  before: Date,
): Promise<number> {
  let removed = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { rowCount } = await pool.query(REMOVE_OLD_EVENTS, [before, AT_ONCE]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < AT_ONCE) break;
  }
  return removed;
}

/** App by app, because the log is indexed by app and time. */
export const REMOVE_OLD_EVENTS = `
  DELETE FROM webhook_events WHERE pk IN (
    SELECT old.pk FROM (SELECT DISTINCT app_id, environment FROM api_clients) AS tenant CROSS JOIN LATERAL (
      SELECT e.pk FROM webhook_events e
      WHERE e.app_id = tenant.app_id AND e.environment = tenant.environment AND e.created_at <= $1::timestamptz
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_pk = e.pk AND d.status = 'pending')
      ORDER BY e.created_at
      LIMIT $2::int
      FOR UPDATE SKIP LOCKED) AS old
    LIMIT $2::int)`;
