import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../../support/services/embedded-services.js';

export let database: TestDatabase;
export let env: Record<string, string>;

/** Creates a database, and the settings with which operator commands reach it. */
export function createOperatorDatabase(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    env = { DATABASE_URL: database.url, MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}` };
  });

  afterAll(() => database.drop());
}

export async function rows(
  statement: string,
  values: unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
