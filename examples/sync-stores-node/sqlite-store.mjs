const SCHEMA = `
CREATE TABLE IF NOT EXISTS sync_positions (
  link_id TEXT PRIMARY KEY, cursor TEXT NOT NULL, restarting INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS transactions (
  link_id TEXT NOT NULL, transaction_id TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (link_id, transaction_id));
CREATE TABLE IF NOT EXISTS replacement_transactions (
  link_id TEXT NOT NULL, transaction_id TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (link_id, transaction_id));`;

/**
 * A store for `transactions.syncInto` in an SQLite database: `new DatabaseSync(file)` of `node:sqlite`.
 * Creates its tables.
 */
export function sqliteStore(database) {
  database.exec(SCHEMA);
  const run = (sql, ...values) => database.prepare(sql).run(...values);

  return {
    load(linkId) {
      const row = database
        .prepare('SELECT cursor, restarting FROM sync_positions WHERE link_id = ?')
        .get(linkId);
      return row === undefined ? null : { cursor: row.cursor, restarting: row.restarting === 1 };
    },

    commit(linkId, { upserted, removed, position, replacement }) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const table = replacement === null ? 'transactions' : 'replacement_transactions';
        if (replacement?.begins)
          run('DELETE FROM replacement_transactions WHERE link_id = ?', linkId);
        for (const row of upserted)
          run(
            `INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`,
            ...[linkId, row.transaction_id, JSON.stringify(row)],
          );
        for (const id of removed)
          run(`DELETE FROM ${table} WHERE link_id = ? AND transaction_id = ?`, linkId, id);
        if (replacement?.completes) {
          run('DELETE FROM transactions WHERE link_id = ?', linkId);
          run(
            'INSERT INTO transactions SELECT * FROM replacement_transactions WHERE link_id = ?',
            linkId,
          );
          run('DELETE FROM replacement_transactions WHERE link_id = ?', linkId);
        }
        run(
          'INSERT OR REPLACE INTO sync_positions VALUES (?, ?, ?)',
          ...[linkId, position.cursor, position.restarting ? 1 : 0],
        );
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}
