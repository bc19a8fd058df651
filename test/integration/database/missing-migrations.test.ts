import { readdirSync } from 'node:fs';
import type { Pool } from 'pg';
import { missingMigrations } from '../../../prisma/base/migrate/missing-migrations.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/services/embedded-services.js';
import { openPool } from '../../support/services/postgres.mjs';

const names = readdirSync('prisma/migrations').filter((name) => /^\d/.test(name));
const opened: { pool: Pool; database: TestDatabase }[] = [];

function open(database: TestDatabase): Pool {
  const pool = openPool({ connectionString: database.url });
  opened.push({ pool, database });
  return pool;
}

afterAll(async () => {
  for (const { pool, database } of opened) {
    await pool.end();
    await database.drop();
  }
});

describe('The migrations that a database lacks', () => {
  it('are all those of this version while it has no tables', async () => {
    expect(await missingMigrations(open(await createEmptyDatabase()))).toEqual(names.sort());
  });

  it('are those that were not applied completely, or were rolled back', async () => {
    const pool = open(await createTestDatabase());
    expect(await missingMigrations(pool)).toEqual([]);
    await pool.query('UPDATE _prisma_migrations SET finished_at = NULL');
    expect(await missingMigrations(pool)).toEqual(names);
    await pool.query('UPDATE _prisma_migrations SET finished_at = now(), rolled_back_at = now()');
    expect(await missingMigrations(pool)).toEqual(names);
  });

  it('are none when a newer version has added its own', async () => {
    const pool = open(await createTestDatabase());
    await pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ('newer', 'x', '29990101000000_newer', now(), now(), 1)`,
    );
    expect(await missingMigrations(pool)).toEqual([]);
  });
});
