import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/assertions/eventually.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/services/embedded-services.js';
import { itInLongRuns } from '../../support/fixtures/long-runs.js';
import { openTcpGate } from '../../support/services/tcp-gate.js';
import { onConnection, queryAt } from '../../support/services/postgres.mjs';

const MIGRATIONS = 'prisma/migrations';
const names = readdirSync(MIGRATIONS)
  .filter((name) => /^\d/.test(name))
  .sort();
const databases: TestDatabase[] = [];
const folder = mkdtempSync(join(tmpdir(), 'tributary-migrations-'));
let database: TestDatabase;
let copies = 0;

beforeEach(async () => {
  database = await createEmptyDatabase();
  databases.push(database);
});
afterAll(async () => {
  await Promise.all(databases.map((created) => created.drop()));
  rmSync(folder, { recursive: true, force: true });
});

function run(
  entry: string,
  args: readonly string[],
  databaseUrl = database.url,
  bankUrl = '',
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [`dist/prisma/base/migrate/${entry}.js`, ...args],
      {
        env: {
          ...process.env,
          NODE_OPTIONS: '',
          DATABASE_URL: databaseUrl,
          SANDBOX_BANK_DATABASE_URL: bankUrl,
        },
      },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Gives the test the database of `migrate`, which this run migrated once. */
async function beginMigrated(): Promise<void> {
  database = await createTestDatabase();
  databases.push(database);
}

const migrate = (migrations = MIGRATIONS, databaseUrl = database.url) =>
  run('main', [migrations], databaseUrl);

/** A folder with our migrations and one more. */
function withMigration(sql: string): string {
  const copy = copyOfMigrations();
  mkdirSync(join(copy, '29990101000000_next'));
  writeFileSync(join(copy, '29990101000000_next', 'migration.sql'), sql);
  return copy;
}

function copyOfMigrations(): string {
  copies += 1;
  const copy = join(folder, String(copies));
  cpSync(MIGRATIONS, copy, { recursive: true });
  return copy;
}

const query = (sql: string) => queryAt(database.url, sql);
/** The parts of a dump that belong to the server and not to a database. */
const administer = (sql: string) => queryAt(process.env['TEST_DATABASE_URL'] ?? '', sql);

describe('migrate', () => {
  it('migrates an empty database, and does nothing the second time', async () => {
    expect(await migrate()).toEqual({
      code: 0,
      stdout: `Applied ${names.join(', ')}.\n`,
      stderr: '',
    });
    expect(await migrate()).toEqual({
      code: 0,
      stdout: 'The database is up to date.\n',
      stderr: '',
    });
  });

  it('records migrations as `prisma migrate deploy` does', async () => {
    await beginMigrated();
    const rows = await query(
      'SELECT migration_name, checksum, finished_at, rolled_back_at, applied_steps_count FROM _prisma_migrations ORDER BY migration_name',
    );
    expect(rows.map((row) => row['migration_name'])).toEqual(names);
    for (const row of rows) {
      expect(row).toMatchObject({
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        finished_at: expect.any(Date),
        rolled_back_at: null,
        applied_steps_count: 1,
      });
    }
  });

  it('sends a script as a whole: semicolons in comments and bodies do not split it', async () => {
    await beginMigrated();
    const next = withMigration(`-- one; two
      CREATE FUNCTION twice(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN n * 2; END $$;
      CREATE TABLE doubled (n int CHECK (n = twice(1)));`);
    expect((await migrate(next)).code).toBe(0);
    expect(await query('SELECT twice(21) AS n')).toEqual([{ n: 42 }]);
  });

  it('names a migration that the database has and this version lacks', async () => {
    await beginMigrated();
    await migrate(withMigration('CREATE TABLE newer (n int);'));
    const { code, stderr } = await migrate();
    expect(code).toBe(1);
    expect(stderr).toBe(
      'The database has migrations this version does not: 29990101000000_next. ' +
        'Run the version that wrote the database (or a newer one), or restore the missing folders of prisma/migrations.\n',
    );
  });

  it('names a migration whose file changed after it was applied', async () => {
    await beginMigrated();
    const copy = copyOfMigrations();
    appendFileSync(join(copy, names[0] ?? '', 'migration.sql'), '\n-- later thought\n');
    const { code, stderr } = await migrate(copy);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Migrations were changed after they had been applied: ${names[0]}. Restore their files`,
    );
  });

  it('rolls back a failing migration completely, names the cause, and runs it again once it is corrected', async () => {
    await beginMigrated();
    const next = withMigration('CREATE TABLE half (n int); CREATE TABEL other (n int);');
    const failed = await migrate(next);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toBe(
      'The migration 29990101000000_next failed and was rolled back: syntax error at or near "TABEL". Correct the cause and start again.\n',
    );
    expect(await query("SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
    writeFileSync(join(next, '29990101000000_next', 'migration.sql'), 'CREATE TABLE half (n int);');
    expect(await migrate(next)).toMatchObject({
      code: 0,
      stdout: 'Applied 29990101000000_next.\n',
    });
  });

  it('runs a migration again that a crash interrupted', async () => {
    await beginMigrated();
    const [last = ''] = names.slice(-1);
    const next = withMigration('CREATE TABLE after_crash (n int);');
    await query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
      SELECT 'cut-off', checksum, '29990101000000_next', now(), 0 FROM _prisma_migrations WHERE migration_name = '${last}'`);
    expect(await migrate(next)).toMatchObject({
      code: 0,
      stdout: 'Applied 29990101000000_next.\n',
    });
    expect(await query("SELECT to_regclass('after_crash')::text AS name")).toEqual([
      { name: 'after_crash' },
    ]);
  });

  it('refuses a database that contains other tables', async () => {
    await query('CREATE TABLE other_schema (n int)');
    expect(await migrate()).toMatchObject({
      code: 1,
      stderr:
        'The database already contains tables of another application. Set DATABASE_URL to an empty database.\n',
    });
  });

  it.each([
    [
      'a missing database',
      (url: URL) => {
        url.pathname = '/nowhere';
      },
      'The database nowhere does not exist. Create it, or correct DATABASE_URL.',
    ],
    [
      'a wrong password',
      (url: URL) => {
        url.password = 'wrong';
      },
      'The database refuses user or password of DATABASE_URL. Correct them.',
    ],
    [
      'a server that does not exist',
      (url: URL) => {
        url.port = '1';
      },
      'The database server of DATABASE_URL cannot be reached. Start it, or correct host and port.',
    ],
  ])('explains %s', async (_what, change, message) => {
    const url = new URL(database.url);
    change(url);
    expect(await migrate(MIGRATIONS, url.href)).toMatchObject({ code: 1, stderr: `${message}\n` });
  });

  it('explains a missing setting and a missing folder', async () => {
    expect((await migrate(MIGRATIONS, '')).stderr).toContain('DATABASE_URL is missing.');
    expect((await migrate(join(folder, 'nowhere'))).stderr).toContain(
      'The migrations cannot be read:',
    );
  });
});

describe('migrate, for the sandbox bank', () => {
  const owner = `owner_${process.pid}`;
  let bank: string;
  let roles = 0;

  const urlOf = (role: string, password = 'pw') => {
    const url = new URL(database.url);
    [url.username, url.password] = [role, password];
    return url.href;
  };
  const migrateFor = (bankUrl: string, databaseUrl = urlOf(owner)) =>
    run('main', [MIGRATIONS], databaseUrl, bankUrl);

  /** The owner of the database is not a superuser, as with managed databases. */
  async function ownDatabase(attributes: string): Promise<void> {
    await query(`ALTER ROLE ${owner} ${attributes}`);
    await query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${owner}`);
  }

  beforeAll(() => administer(`CREATE ROLE ${owner} LOGIN PASSWORD 'pw'`));
  afterAll(async () => {
    await Promise.all(databases.splice(0).map((created) => created.drop()));
    for (let number = 1; number <= roles; number += 1)
      await administer(`DROP ROLE IF EXISTS bank_${process.pid}_${number}`);
    await administer(`DROP ROLE ${owner}`);
  });
  beforeEach(() => {
    roles += 1;
    bank = `bank_${process.pid}_${roles}`;
  });

  it('creates a role that owns its schema and may read nothing else', async () => {
    await ownDatabase('CREATEROLE');
    for (let time = 1; time <= 2; time += 1)
      expect(await migrateFor(urlOf(bank))).toMatchObject({ code: 0, stderr: '' });
    await onConnection(urlOf(bank), async (asBank) => {
      await asBank.query('CREATE TABLE sandbox_bank.world (n int)');
      await expect(asBank.query('SELECT 1 FROM public.links')).rejects.toMatchObject({
        code: '42501',
      });
    });
  });

  it('reports the loss of its connection as the failure of its statement', async () => {
    const { hostname, port } = new URL(database.url);
    const gate = await openTcpGate({ host: hostname, port: Number(port) });
    const gated = new URL(database.url);
    [gated.hostname, gated.port] = ['127.0.0.1', String(gate.port)];
    const lock = `pg_advisory_xact_lock(hashtextextended('sandbox_bank.role', 0))`;
    const ended = await onConnection(database.url, async (holder) => {
      await holder.query(`BEGIN; SELECT ${lock}`);
      const migrating = migrateFor(urlOf(bank), gated.href);
      await eventually(async () => {
        const [row] = await query(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%sandbox_bank.role%'`,
        );
        expect(row?.['waiting']).toBe(1);
      });
      gate.set('cut');
      return migrating;
    });
    await gate.close();
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNRESET') });
    expect(ended.stderr).not.toContain('Unhandled');
  });

  it("explains the administrator's steps where it must not create the role, and succeeds once they are done", async () => {
    await ownDatabase('NOCREATEROLE');
    expect(await migrateFor(urlOf(bank))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `The user of DATABASE_URL may not create the role ${bank} for the sandbox bank. Let an administrator run CREATE ROLE`,
      ),
    });
    await query(
      `CREATE ROLE ${bank} LOGIN PASSWORD 'pw'; CREATE SCHEMA sandbox_bank AUTHORIZATION ${bank}`,
    );
    expect(await migrateFor(urlOf(bank))).toMatchObject({ code: 0, stderr: '' });
  });

  it('refuses the role that owns the database, and explains a wrong password', async () => {
    expect((await migrateFor(database.url, database.url)).stderr).toContain(
      'SANDBOX_BANK_DATABASE_URL names the user of DATABASE_URL.',
    );
    expect(await migrateFor(urlOf(bank), database.url)).toMatchObject({ code: 0 });
    expect((await migrateFor(urlOf(bank, 'wrong'), database.url)).stderr).toContain(
      `The role ${bank} of SANDBOX_BANK_DATABASE_URL cannot log in:`,
    );
  });
});

describe('The comparison of migrations with the schema', () => {
  itInLongRuns('finds that the committed migrations lead to the schema', async () => {
    expect(await run('diff-main', ['prisma'])).toMatchObject({ code: 0 });
  });

  it('prints the SQL of the next migration and leaves no database behind', async () => {
    const copy = join(folder, 'schema');
    cpSync(MIGRATIONS, join(copy, 'migrations'), { recursive: true });
    cpSync('prisma/schema.prisma', join(copy, 'schema.prisma'));
    appendFileSync(join(copy, 'schema.prisma'), '\nmodel Added {\n  id Int @id\n}\n');
    const { code, stdout } = await run('diff-main', [copy]);
    expect(code).toBe(2);
    expect(stdout).toContain('CREATE TABLE "Added"');
    // Another comparison may be at work on the same server; its database goes with it.
    await eventually(async () =>
      expect(
        await query("SELECT datname FROM pg_database WHERE datname LIKE 'tributary_shadow_%'"),
      ).toEqual([]),
    );
  });
});
