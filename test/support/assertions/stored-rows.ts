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
  'investment_transaction_versions',
  'held_events',
  'webhook_events',
  'webhook_deliveries',
  'refresh_requests',
  'outbox_commands',
  'idempotency_records',
];

const CONTENT = TABLES.map(
  (table) =>
    `SELECT '${table}' AS name, count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS content FROM ${table} t`,
).join(' UNION ALL ');

/** The content of every table as one text each, to prove that a refused request changes none. */
export async function storedRows(pool: Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; content: string }>(CONTENT);
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}
