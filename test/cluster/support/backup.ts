import { POSTGRES_DATABASE } from '../../../apps/standalone/src/postgres/postgres-cluster.js';
import { query, type ClusterPostgres } from '../../support/cluster/cluster-postgres.js';

const BACKUP = 'backup';

/**
 * Keeps the database of the service in its current state, for `restoreDatabase`. It is a copy
 * inside the server, since npm installs no pg_dump. Connections to it end.
 */
export async function backUpDatabase(postgres: ClusterPostgres): Promise<void> {
  const run = (statement: string) => query(postgres.urlOf('postgres'), statement);
  // Processes connect again at once.
  await run(`ALTER DATABASE ${POSTGRES_DATABASE} ALLOW_CONNECTIONS false`);
  await run(
    `SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE datname = '${POSTGRES_DATABASE}'`,
  );
  await run(`CREATE DATABASE ${BACKUP} TEMPLATE ${POSTGRES_DATABASE}`);
  await run(`ALTER DATABASE ${POSTGRES_DATABASE} ALLOW_CONNECTIONS true`);
}

/**
 * Puts the backup in place of the database: its address stays the same, and it is another database.
 */
export async function restoreDatabase(postgres: ClusterPostgres): Promise<void> {
  const run = (statement: string) => query(postgres.urlOf('postgres'), statement);
  await run(`DROP DATABASE ${POSTGRES_DATABASE} WITH (FORCE)`);
  await run(`CREATE DATABASE ${POSTGRES_DATABASE} TEMPLATE ${BACKUP}`);
}
