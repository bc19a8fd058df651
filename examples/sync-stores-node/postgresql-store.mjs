/** The tables of the store: add them to the migrations of your app. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS sync_positions (
  link_id text PRIMARY KEY, cursor text NOT NULL, restarting boolean NOT NULL DEFAULT false);
CREATE TABLE IF NOT EXISTS transactions (
  link_id text NOT NULL, transaction_id text NOT NULL, data jsonb NOT NULL, PRIMARY KEY (link_id, transaction_id));
CREATE TABLE IF NOT EXISTS replacement_transactions (LIKE transactions INCLUDING ALL);`;

/** A store for `transactions.syncInto` in PostgreSQL: `new Pool()` of `pg`. */
export function postgresqlStore(pool) {
  return {
    async load(linkId) {
      const { rows } = await pool.query(
        'SELECT cursor, restarting FROM sync_positions WHERE link_id = $1',
        [linkId],
      );
      return rows[0] ?? null;
    },

    async commit(linkId, page) {
      const client = await pool.connect();
      let failure;
      try {
        await client.query('BEGIN');
        await write((sql, ...values) => client.query(sql, [linkId, ...values]), page);
        await client.query('COMMIT');
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        // After a failure the connection is closed, which ends its transaction.
        client.release(failure);
      }
    },
  };
}

async function write(run, { upserted, removed, position, replacement }) {
  const table = replacement === null ? 'transactions' : 'replacement_transactions';
  if (replacement?.begins) await run('DELETE FROM replacement_transactions WHERE link_id = $1');
  await run(
    `INSERT INTO ${table} SELECT $1, row->>'transaction_id', row FROM jsonb_array_elements($2::jsonb) AS row
     ON CONFLICT (link_id, transaction_id) DO UPDATE SET data = excluded.data`,
    JSON.stringify(upserted),
  );
  await run(`DELETE FROM ${table} WHERE link_id = $1 AND transaction_id = ANY ($2)`, removed);
  if (replacement?.completes) {
    await run('DELETE FROM transactions WHERE link_id = $1');
    await run('INSERT INTO transactions SELECT * FROM replacement_transactions WHERE link_id = $1');
    await run('DELETE FROM replacement_transactions WHERE link_id = $1');
  }
  await run(
    `INSERT INTO sync_positions VALUES ($1, $2, $3)
     ON CONFLICT (link_id) DO UPDATE SET cursor = excluded.cursor, restarting = excluded.restarting`,
    position.cursor,
    position.restarting,
  );
}
