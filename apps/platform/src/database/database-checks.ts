import type { Context } from '../../../../prisma/base/context.js';
import {
  isDatabaseUnreachable,
  isForeignDatabase,
} from '../../../../prisma/base/database/database-failures.js';
import {
  MasterKeyRepository,
  MasterKeysRefused,
} from '../../../../prisma/base/master-keys/master-key.repository.js';
import { missingMigrations } from '../../../../prisma/base/migrate/missing-migrations.js';
import { NotReady, type HealthCheck } from '../process/health-check.js';
import { identityCheck } from './watch-identity.js';

/** A fault shows within ten seconds. */
const KEPT_MS = 5_000;

/** Meanings of the server's error codes, by SQLSTATE. */
const REFUSALS: Readonly<Record<string, [cause: string, remedy: string]>> = {
  '28P01': ['The database refuses user or password of DATABASE_URL', 'Correct DATABASE_URL'],
  '28000': [
    'The database refuses the user of DATABASE_URL',
    'Correct DATABASE_URL, or pg_hba.conf of the server',
  ],
  '3D000': [
    'The database that DATABASE_URL names does not exist',
    'Create it, or correct DATABASE_URL',
  ],
};
const MAY_NOT = '42501';
const MAY_NOT_READ = new NotReady(
  'The user of DATABASE_URL may not read the table _prisma_migrations',
  'GRANT SELECT ON _prisma_migrations to it',
);
const FOREIGN = new NotReady(
  'It cannot be checked before the database is the one that the service wrote to',
  'See the part "database_identity"',
);

/**
 * The requirements of every process on PostgreSQL: it responds, is the database that the service wrote to, has the tables of this
 * build, and was sealed with these MASTER_KEYS.
 */
export function databaseChecks(ctx: Context): HealthCheck[] {
  const masterKeys = new MasterKeyRepository(ctx);
  const { database } = ctx;
  const identity = identityCheck(database);
  return [
    {
      part: 'database',
      critical: true,
      check: () => database.ping().catch((error: unknown) => Promise.reject(explain(error))),
    },
    { ...identity, check: () => whileItResponds(identity.check) },
    {
      part: 'schema',
      critical: true,
      keptForMs: KEPT_MS,
      check: () => whileItResponds(() => requireSchema(ctx)),
    },
    {
      part: 'master_keys',
      critical: true,
      keptForMs: KEPT_MS,
      check: () => whileItResponds(() => requireMasterKeys(ctx, masterKeys)),
    },
  ];
}

async function requireSchema({ database }: Context): Promise<void> {
  const missing = await missingMigrations(database.pool).catch((error: unknown) => {
    throw (error as { code?: unknown }).code === MAY_NOT ? MAY_NOT_READ : error;
  });
  if (missing.length > 0)
    throw new NotReady(
      `The database lacks migrations of this version: ${missing.join(', ')}`,
      'Run the migrations of this version: npm run migrate, or the service "migrate" of compose',
    );
}

async function requireMasterKeys(
  { database }: Context,
  masterKeys: MasterKeyRepository,
): Promise<void> {
  if ((await missingMigrations(database.pool)).length > 0)
    throw new NotReady('They cannot be checked without the schema', 'See the part "schema"');
  try {
    await masterKeys.check();
  } catch (error) {
    throw error instanceof MasterKeysRefused ? new NotReady(error.problem, error.remedy) : error;
  }
}

/** Runs a check of rows; while the database is down, its cause names the part to see. */
export async function whileItResponds(look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (isForeignDatabase(error)) throw FOREIGN;
    if (!isDatabaseUnreachable(error) && refusalOf(error) === undefined) throw error;
    throw new NotReady(
      'It cannot be checked while the database does not respond',
      'See the part "database"',
    );
  }
}

/** The meaning of the server's response, or of its silence, for the operator. */
function explain(error: unknown): Error {
  if (isForeignDatabase(error)) return FOREIGN;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return new NotReady(...refusal);
  if (!isDatabaseUnreachable(error))
    return error instanceof Error ? error : new Error(String(error));
  const { code, message } = error as { code?: string; message?: string };
  return new NotReady(
    `The database does not respond: ${code ?? message}`,
    'Start PostgreSQL, or correct host and port of DATABASE_URL',
  );
}

const refusalOf = (error: unknown) => REFUSALS[(error as { code?: string } | null)?.code ?? ''];
