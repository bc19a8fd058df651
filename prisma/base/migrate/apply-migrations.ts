import type {
  DiagnoseMigrationHistoryOutput,
  MigrationList,
  SchemaEngine,
} from '@prisma/schema-engine-wasm';
import { readMigrationList } from './migration-list.js';
import { ALL_TABLES, withSchemaEngine } from './schema-engine.js';

/** Its message has one sentence about the problem and one about the remedy. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Applies the pending migrations in the folder. @returns the names of those applied
 * @throws MigrationError
 */
export async function applyMigrations(
  databaseUrl: string,
  folder: string,
): Promise<readonly string[]> {
  const migrationsList = await readMigrationList(folder).catch((error: unknown) => {
    throw new MigrationError(
      `The migrations cannot be read: ${(error as Error).message}. Restore the folder prisma/migrations and build again.`,
    );
  });
  try {
    return await withSchemaEngine(databaseUrl, async (engine) => {
      const history = await engine.diagnoseMigrationHistory({
        migrationsList,
        optInToShadowDatabase: false,
        filters: ALL_TABLES,
      });
      refuseLostOrEdited(history);
      await retryInterrupted(engine, migrationsList, history.failedMigrationNames);
      const { appliedMigrationNames } = await engine.applyMigrations({
        migrationsList,
        filters: ALL_TABLES,
      });
      return appliedMigrationNames;
    });
  } catch (error) {
    throw explain(error);
  }
}

function refuseLostOrEdited({
  history,
  editedMigrationNames,
  failedMigrationNames,
}: DiagnoseMigrationHistoryOutput): void {
  const lost =
    history !== null && history.diagnostic !== 'databaseIsBehind'
      ? history.unpersistedMigrationNames
      : [];
  if (lost.length > 0) {
    throw new MigrationError(
      `The database has migrations this version does not: ${lost.join(', ')}. ` +
        'Run the version that wrote the database (or a newer one), or restore the missing folders of prisma/migrations.',
    );
  }
  // A failed migration was rolled back, so editing it is the way to fix it.
  const edited = editedMigrationNames.filter((name) => !failedMigrationNames.includes(name));
  if (edited.length > 0) {
    throw new MigrationError(
      `Migrations were changed after they had been applied: ${edited.join(', ')}. ` +
        'Restore their files, and put the change into a new migration.',
    );
  }
}

/**
 * A migration is one transaction, so one interrupted by a crash was rolled back and can run again.
 */
async function retryInterrupted(
  engine: SchemaEngine,
  { migrationDirectories }: MigrationList,
  failed: readonly string[],
): Promise<void> {
  for (const migrationName of failed) {
    if (migrationDirectories.some(({ path }) => path === migrationName))
      await engine.markMigrationRolledBack({ migrationName });
  }
}

const EXPLANATIONS: readonly (readonly [RegExp, (message: string) => string])[] = [
  [
    /schema is not empty/,
    () =>
      'The database already contains tables of another application. Set DATABASE_URL to an empty database.',
  ],
  [
    /Database `[^`]*` does not exist/,
    (message) =>
      `The database ${/`([^`]*)`/.exec(message)?.[1] ?? ''} does not exist. Create it, or correct DATABASE_URL.`,
  ],
  [
    /Can't reach database server|ECONNREFUSED|ENOTFOUND|timeout exceeded/,
    () =>
      'The database server of DATABASE_URL cannot be reached. Start it, or correct host and port.',
  ],
  [
    /Authentication failed|password/i,
    () => 'The database refuses user or password of DATABASE_URL. Correct them.',
  ],
  [
    /advisory lock/,
    () =>
      'Another process is migrating this database. Wait until it has finished, then start again.',
  ],
  [
    /TLS connection|certificate/i,
    (message) =>
      `The database server of DATABASE_URL is not trusted: ${message.split(': ').at(-1)?.split('\n')[0]}. Name the CA of its certificate as sslrootcert, and the host that is in it.`,
  ],
  [
    /denied access/i,
    () =>
      'The database refuses the user of DATABASE_URL. Grant it the right to connect and to create tables; if the server requires TLS, add sslmode=verify-full.',
  ],
  [
    /permission denied/i,
    () =>
      'The user of DATABASE_URL may not change the schema of this database. Grant it the right to create tables.',
  ],
  [
    /with migration_name="/,
    (message) => {
      const name = /migration_name="(.*?)"/.exec(message)?.[1] ?? '';
      const cause = /ERROR: (.*)/.exec(message)?.[1] ?? 'the database refused it';
      return `The migration ${name} failed and was rolled back: ${cause}. Correct the cause and start again.`;
    },
  ],
];

function explain(error: unknown): Error {
  if (error instanceof MigrationError || !(error instanceof Error))
    return error instanceof Error ? error : new Error(String(error));
  const known = EXPLANATIONS.find(([shape]) => shape.test(error.message));
  return known === undefined
    ? error
    : new MigrationError(known[1](error.message), { cause: error });
}
