import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm';

/** The migrations in a folder, in the form the engine expects. */
export async function readMigrationList(folder: string): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true });
  // Without migrations, an empty database would look migrated.
  if (!entries.some((entry) => entry.isDirectory())) throw new Error(`no migrations in ${folder}`);
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir: folder,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(folder, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(folder, path, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}
