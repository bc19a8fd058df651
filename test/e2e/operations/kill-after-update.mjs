import pg from 'pg';

// Loaded before a command: kills the process with SIGKILL before or after the first COMMIT of a
// transaction that changed rows of a table with sealed values.
const TABLES = ['data_keys', 'signing_keys', 'cursor_keys', 'idempotency_records'];
const changed = new WeakSet();
const query = pg.Client.prototype.query;

pg.Client.prototype.query = async function (...args) {
  const [what] = args;
  const text = typeof what === 'string' ? what : what.text;
  if (typeof args.at(-1) === 'function') return query.apply(this, args);
  const dies = text === 'COMMIT' && changed.delete(this);
  if (dies && process.env.KILL_AT === 'before') process.kill(process.pid, 'SIGKILL');
  // oxlint-disable-next-line typescript/await-thenable -- the types name only the call with a callback
  const result = await query.apply(this, args);
  if (dies) process.kill(process.pid, 'SIGKILL');
  if (TABLES.some((table) => text.startsWith(`UPDATE ${table} `)) && result.rowCount > 0)
    changed.add(this);
  return result;
};
