import { randomBytes } from 'node:crypto';
import { queryAt } from './postgres.mjs';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database: a copy of the template that the test run migrated once. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(copyOf(provided('TEST_TEMPLATE_DATABASE'), name));
  return {
    url: databaseUrl(name),
    drop: async () => void (await administer(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/**
 * A copy of a database, as a restore of a backup taken now would create it: it has another oid.
 * Connections to the original end.
 */
export async function copyDatabase(original: string): Promise<TestDatabase> {
  const from = new URL(original).pathname.slice(1);
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Processes connect again at once.
  await administer(`ALTER DATABASE ${from} ALLOW_CONNECTIONS false`);
  await administer(
    `SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE datname = '${from}'`,
  );
  await administer(copyOf(from, name));
  await administer(`ALTER DATABASE ${from} ALLOW_CONNECTIONS true`);
  return {
    url: databaseUrl(name),
    drop: async () => void (await administer(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/** Puts a backup in place of a database: its address stays the same, and it is another database. */
export async function restoreDatabase(url: string, backup: string): Promise<void> {
  const [name, from] = [url, backup].map((address) => new URL(address).pathname.slice(1));
  await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  await administer(copyOf(from, name));
}

/** A database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE template0`);
  return {
    url: databaseUrl(name),
    drop: async () => void (await administer(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/**
 * host:port of the Temporal server of this run. Suites share it, so each needs unique task queues
 * and workflow ids.
 */
export const testTemporalAddress = (): string => provided('TEST_TEMPORAL_ADDRESS');

/** The namespaces are created in advance; each is used once. */
export async function takeNamespace(): Promise<string> {
  const [row] = await administer<{ number: string }>("SELECT nextval('test_services') AS number");
  return `service-${row?.number}`;
}

/** The administrator of the database server of this run. Its roles are shared by all tests. */
export const sharedDatabaseServer = (): string => provided('TEST_DATABASE_URL');

/** The address where a test file requests a service that it shares with others. */
export const sharedServicesUrl = (): string => provided('TEST_SHARED_SERVICES');

/** Copies the files of a database, which costs half of writing each of its pages to the log first. */
const copyOf = (from: string | undefined, name: string | undefined) =>
  `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY file_copy`;

const administer = <Row extends object>(statement: string) =>
  queryAt<Row>(provided('TEST_DATABASE_URL'), statement);

function databaseUrl(name: string): string {
  const url = new URL(provided('TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  return url.href;
}

function provided(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(
      `${name} is not set: run this level with npm run test:<level> [-- path], which starts the servers`,
    );
  return value;
}
