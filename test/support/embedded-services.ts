import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database of its own: a copy of the template that the test run migrated once. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${provided('TEST_TEMPLATE_DATABASE')}`);
  return { url: databaseUrl(name), drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** A database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE template0`);
  return { url: databaseUrl(name), drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** host:port of the Temporal server of this run. Suites share it: give task queues and workflow ids a name of their own. */
export const testTemporalAddress = (): string => provided('TEST_TEMPORAL_ADDRESS');

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: provided('TEST_DATABASE_URL') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function databaseUrl(name: string): string {
  const url = new URL(provided('TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  return url.href;
}

function provided(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run this level with npm run test:<level> [-- path], which starts the servers`);
  return value;
}
