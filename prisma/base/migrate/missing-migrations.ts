import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));
const NO_SUCH_TABLE = '42P01';

let ofThisBuild: Promise<readonly string[]> | undefined;

/**
 * The migrations of this build that the database does not have, oldest first. The database may have
 * newer ones: during a rolling upgrade, processes of the previous version keep running.
 */
export async function missingMigrations(pool: Pick<Pool, 'query'>): Promise<readonly string[]> {
  ofThisBuild ??= readNames();
  const [known, applied] = await Promise.all([ofThisBuild, appliedMigrations(pool)]);
  return known.filter((name) => !applied.has(name));
}

async function readNames(): Promise<readonly string[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function appliedMigrations(pool: Pick<Pool, 'query'>): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await pool.query<{ migration_name: string }>(
      `SELECT migration_name FROM _prisma_migrations
        WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    return new Set(rows.map(({ migration_name: name }) => name));
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_SUCH_TABLE) return new Set();
    throw error;
  }
}
