import type { Context } from '../../base/context.js';

const AT_ONCE = 500;
/**
 * Half the time that a worker has to stop. 20,000 events take half a second, so a round removes
 * some 200,000.
 */
const ROUND_MS = 5_000;

/**
 * WEBHOOK_EVENT_RETENTION: removes events created before a time from the log, with their deliveries
 * and attempts, a few per transaction, until none remain or the time of a round has elapsed. An
 * event with an open delivery stays until that ends.
 * @param elapsed a clock in milliseconds that never goes back
 * @returns the number of removed events
 */
export async function removeOldEvents(
  { database: { pool } }: Pick<Context, 'database'>,
  before: Date,
  elapsed: () => number = () => performance.now(),
): Promise<number> {
  const until = elapsed() + ROUND_MS;
  let removed = 0;
  do {
    const { rowCount } = await pool.query(REMOVE_OLD_EVENTS, [before, AT_ONCE]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < AT_ONCE) break;
  } while (elapsed() < until);
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
