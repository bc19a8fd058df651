import { randomBytes } from 'node:crypto';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../../support/services/embedded-services.js';
import { queryAt } from '../../../support/services/postgres.mjs';

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

export const rows = (statement: string, values: unknown[]) =>
  queryAt(database.url, statement, values);
