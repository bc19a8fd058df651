import type { Pool } from 'pg';

/** Every table that a refused request could change. */
const TABLES = [
  'access_tokens',
  'customer_users',
  'link_sessions',
  'connect_tokens',
  'oauth_states',
  'session_secrets',
  'data_keys',
  'exchangeable_tokens',
  'links',
  'link_products',
  'accounts',
  'transaction_versions',
  'held_events',
  'webhook_events',
  'webhook_deliveries',
  'refresh_requests',
  'outbox_commands',
  'idempotency_records',
];

/** The content of every table as one text each, to prove that a refused request changes none. */
export async function storedRows(pool: Pool): Promise<Record<string, string>> {
  const entries = await Promise.all(
    TABLES.map(async (table) => {
      const { rows } = await pool.query<{ count: string; hash: string }>(
        `SELECT count(*)::text AS count, coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS hash FROM ${table} t`,
      );
      return [table, `${rows[0]?.count} ${rows[0]?.hash}`] as const;
    }),
  );
  return Object.fromEntries(entries);
}
