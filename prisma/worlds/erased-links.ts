import type pg from 'pg';
import type { Context } from '../base/context.js';
import { inPoolTransaction } from '../base/database/pool-transaction.js';

/** The environment of links of deleted worlds until their rows are removed; no tenant has it. */
export const ERASED = 'erased';
export const ERASED_LINK_PREFIX = 'erased/';

const ROWS_AT_ONCE = 2_000;
const LINKS_AT_ONCE = 50;

/**
 * Removes the rows of links of deleted worlds, a bounded number per transaction. Resumes where it
 * stopped, also after a crash: a link is removed last, so as long as it exists there may be more to
 * remove. Several processes may run it concurrently.
 * @returns the number of removed rows
 */
export async function removeErasedLinks(
  { database: { pool } }: Pick<Context, 'database'>,
  { batches }: { batches: number },
): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const rows = await inPoolTransaction(pool, removeBatch);
    if (rows === 0) break;
    removed += rows;
  }
  return removed;
}

async function removeBatch(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pk: string; link_id: string }>(TAKE_LINKS, [LINKS_AT_ONCE]);
  if (rows.length === 0) return 0;
  const linkPks = rows.map(({ pk }) => pk);
  const linkIds = rows.map(({ link_id: linkId }) => linkId.slice(ERASED_LINK_PREFIX.length));
  const events = await removedBy(client, REMOVE_EVENTS, [linkIds, ROWS_AT_ONCE]);
  let removed = events;
  for (const log of ['transaction_versions', 'investment_transaction_versions'] as const)
    removed += await removedBy(client, removeVersions(log), [linkPks, ROWS_AT_ONCE - removed]);
  if (removed === ROWS_AT_ONCE) return ROWS_AT_ONCE;
  const links = await removedBy(client, 'DELETE FROM links WHERE pk = ANY ($1::bigint[])', [
    linkPks,
  ]);
  return removed + links;
}

async function removedBy(client: pg.PoolClient, text: string, values: unknown[]): Promise<number> {
  return (await client.query(text, values)).rowCount ?? 0;
}

const TAKE_LINKS = `
  SELECT pk, link_id FROM links WHERE environment = '${ERASED}'
   ORDER BY pk LIMIT $1::int FOR UPDATE SKIP LOCKED`;

const REMOVE_EVENTS = `
  WITH gone AS (
    DELETE FROM webhook_events
     WHERE pk IN (SELECT pk FROM webhook_events WHERE link_id = ANY ($1::text[]) LIMIT $2::int)
    RETURNING event_id, sealed_body
  ), forgotten AS (
    DELETE FROM data_keys
     WHERE owner IN (SELECT 'webhook-event/' || event_id FROM gone WHERE sealed_body IS NOT NULL)
  )
  SELECT FROM gone`;

/** Their app may store the same number again. */
const removeVersions = (log: 'transaction_versions' | 'investment_transaction_versions') => `
  WITH gone AS (
    DELETE FROM ${log}
     WHERE (link_pk, seq) IN (
       SELECT link_pk, seq FROM ${log} WHERE link_pk = ANY ($1::bigint[]) LIMIT $2::int)
    RETURNING link_pk
  ), freed AS (
    INSERT INTO app_use (app_id, environment, bound, day, slot, used)
    SELECT app_id, 'sandbox', 'rows', DATE '1970-01-01', 1, -count(*)
      FROM gone JOIN links ON links.pk = gone.link_pk
     GROUP BY app_id ORDER BY app_id
        ON CONFLICT (app_id, environment, bound, day, slot, client_id) DO UPDATE SET used = app_use.used + excluded.used
  )
  SELECT FROM gone`;
