import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { queryAt } from '../services/postgres.mjs';

/** The reason why roles.sql cannot run here, or nothing. */
export const cannotRunPsql = (): string | undefined =>
  spawnSync('psql', ['--version']).status === 0 ? undefined : 'needs psql';

export interface DatabaseRoles {
  /** Address of the database of the service, by role. */
  owner: string;
  service: string;
  bank: string;
  /** Addresses of the databases of Temporal, under its role. */
  temporal: string;
  visibility: string;
  /** Runs roles.sql again, with other names if they are given. */
  repeat(others?: { owner: string }): Promise<void>;
  /** Applies the migrations as the owner. */
  migrate(): Promise<string>;
  drop(): Promise<void>;
}

/**
 * Creates the roles and databases of deploy/postgres/roles.sql under names that are not in use.
 * @param secrets the folder that deploy/compose/make-secrets.sh created
 */
export async function createDatabaseRoles(
  administrator: string,
  secrets: string,
): Promise<DatabaseRoles> {
  const suffix = randomBytes(5).toString('hex');
  const names = Object.fromEntries(
    ['database', 'owner', 'service', 'bank', 'temporal', 'visibility'].map((name) => [
      name,
      `${name}_${suffix}`,
    ]),
  ) as Record<'database' | 'owner' | 'service' | 'bank' | 'temporal' | 'visibility', string>;
  const run = async (others = {}): Promise<void> => {
    const variables = Object.entries({ ...names, ...others }).map(
      ([name, value]) => `--set=${name}=${value}`,
    );
    await promisify(execFile)(
      'psql',
      ['--no-psqlrc', '--dbname', administrator, ...variables, '--file=deploy/postgres/roles.sql'],
      { env: { PATH: process.env['PATH'], SECRETS: secrets } },
    );
  };
  const url = (database: string, role: string, file: string): string => {
    const address = new URL(administrator);
    address.pathname = `/${database}`;
    address.username = role;
    address.password = readFileSync(`${secrets}/${file}_password`, 'utf8').trim();
    return address.href;
  };
  await run();
  const owner = url(names.database, names.owner, 'owner');
  const bank = url(names.database, names.bank, 'sandbox_bank');
  return {
    owner,
    bank,
    service: url(names.database, names.service, 'service'),
    temporal: url(names.temporal, names.temporal, 'temporal'),
    visibility: url(names.visibility, names.temporal, 'temporal'),
    repeat: run,
    migrate: async () => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['dist/prisma/base/migrate/main.js'],
        {
          env: {
            PATH: process.env['PATH'],
            DATABASE_URL: owner,
            SANDBOX_BANK_DATABASE_URL: bank,
          },
        },
      );
      return stdout;
    },
    drop: async () => {
      for (const name of [names.database, names.temporal, names.visibility])
        await queryAt(administrator, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      for (const name of [names.owner, names.service, names.bank, names.temporal])
        await queryAt(administrator, `DROP ROLE IF EXISTS ${name}`);
    },
  };
}
