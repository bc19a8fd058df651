import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, chownSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '../../../prisma/base/migrate/apply-migrations.js';
import { queryAt } from '../../support/services/postgres.mjs';
import { runCommand } from '../../support/actors/operator.js';
import { once } from 'node:events';
import { postgresAccount } from '../../../apps/standalone/src/postgres/postgres-account.js';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { eventually } from '../../support/assertions/eventually.js';

const PASSWORD = 'canary-password';
const USER = 'postgres';
const READY_WITHIN_MS = 120_000;

/**
 * The folder of an installed server with its client programs, which the package from npm lacks.
 * Null if there is none.
 */
function installedPostgres(): string | null {
  const { status, stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  if (status !== 0) return null;
  const folder = stdout.trim();
  const programs = [
    'initdb',
    'postgres',
    'pg_dump',
    'pg_restore',
    'pg_basebackup',
    'createdb',
    'psql',
  ];
  const areThere = programs.every(
    (program) => spawnSync(join(folder, program), ['--version']).status === 0,
  );
  return areThere ? folder : null;
}

/** A server with the client programs of the same version. */
class InstalledPostgres {
  readonly superuser = USER;
  readonly password = PASSWORD;

  private constructor(
    /** Variables for the environment of client programs. */
    readonly environment: Record<string, string>,
    private readonly server: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(programs: string): Promise<InstalledPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-pg-'));
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, PASSWORD);
    const account = postgresAccount(folder);
    if (account !== undefined)
      for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid);
    const data = join(folder, 'data');
    const initdb = ['--pgdata', data, '--username', USER, '--pwfile', passwordFile];
    execFileSync(join(programs, 'initdb'), [...initdb, '--auth=scram-sha-256', '--no-sync'], {
      ...account,
      stdio: 'pipe',
    });
    const port = String(await freePort('127.0.0.1'));
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', port, '-c', 'unix_socket_directories=', '-c', 'fsync=off'],
      { ...account, stdio: 'ignore' },
    );
    const environment = {
      PATH: `${programs}:${process.env['PATH']}`,
      PGHOST: '127.0.0.1',
      PGPORT: port,
      PGUSER: USER,
      PGPASSWORD: PASSWORD,
    };
    const started = new InstalledPostgres(environment, server, folder);
    await eventually(
      () => execFileSync(join(programs, 'pg_isready'), { env: environment, stdio: 'pipe' }),
      { within: READY_WITHIN_MS },
    );
    return started;
  }

  urlOf(database: string, user: string, password: string): string {
    const { PGPORT } = this.environment;
    return `postgresql://${user}:${password}@127.0.0.1:${PGPORT}/${database}`;
  }

  async stop(): Promise<void> {
    const ended = once(this.server, 'exit');
    if (this.server.exitCode === null) this.server.kill('SIGQUIT');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const PAGE = 'docs/operating/backup-and-restore.md';
const DEPLOYING = 'docs/operating/deploy.md';
const programs = installedPostgres();
const whereInstalled = programs === null ? describe.skip : describe;
const ROLES =
  'SECRETS=/etc/tributary/secrets psql --dbname=postgres --file=deploy/postgres/roles.sql';
const BACKUP_PASSWORD = 'canary-of-the-backup';
const REFUSED = /This is not the database that the service wrote to/;

/** The lines of a section's blocks, without their comments. */
function linesOf(section: string, language: 'sh' | 'sql', page = PAGE): string[] {
  const [, text] = readFileSync(page, 'utf8').split(new RegExp(`\\n##+ ${section}\\n`));
  if (text === undefined) throw new Error(`${page} has no section "${section}"`);
  const [own = ''] = text.split(/\n##+ /);
  const blocks = own.matchAll(new RegExp(`^ *\`\`\`${language}\n([^]*?)^ *\`\`\``, 'gm'));
  return [...blocks]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim());
}
const commandsOf = (section: string, page = PAGE) => linesOf(section, 'sh', page);

whereInstalled(`the commands of ${PAGE} (needs an installed PostgreSQL with pg_dump)`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-restore-'));
  const secrets = join(folder, 'secrets');
  const passwordOf = (name: string) =>
    readFileSync(join(secrets, `${name}_password`), 'utf8').trim();
  let MASTER_KEYS: string;
  let postgres: InstalledPostgres;
  beforeAll(async () => {
    execFileSync('sh', ['deploy/compose/make-secrets.sh', secrets]);
    MASTER_KEYS = readFileSync(join(secrets, 'master_keys'), 'utf8').trim();
    postgres = await InstalledPostgres.start(programs ?? '');
    run(ROLES);
    await applyMigrations(ownerUrl(), 'prisma/migrations');
    await queryAt(bankUrl(), 'CREATE TABLE sandbox_bank.logins (name text)');
    expect(await cli('npm run -s operator -- apps create --name Ledger')).toMatchObject({
      status: 0,
    });
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const ownerUrl = (database = 'tributary') =>
    postgres.urlOf(database, 'tributary', passwordOf('owner'));
  const serviceUrl = () => postgres.urlOf('tributary', 'tributary_service', passwordOf('service'));
  const bankUrl = () => postgres.urlOf('tributary', 'sandbox_bank', passwordOf('sandbox_bank'));

  function run(line: string, as: Record<string, string> = {}): void {
    const env = { ...postgres.environment, ...as };
    const here = line
      .replace('/backup/', `${folder}/`)
      .replaceAll('/etc/tributary/secrets', secrets)
      .replace('deploy/postgres', join(process.cwd(), '$&'));
    execFileSync('sh', ['-euc', here], { cwd: folder, env, stdio: 'pipe', timeout: 120_000 });
  }
  /**
   * Runs an operator command of the page. If there is an address in front of it, its dots are
   * filled in; if there are files, they are those of the test.
   */
  async function cli(line: string) {
    const [, address, files, words = ''] =
      /^(?:DATABASE_URL=\S+\/(\w+) |((?:\w+_FILE=\S+ )+))?npm run -s operator -- (.*)$/.exec(
        line,
      ) ?? [];
    const args = words.split(' ').map((word) => word.replace('deleted.txt', `${folder}/$&`));
    if (files === undefined)
      return runCommand(args, { DATABASE_URL: ownerUrl(address), MASTER_KEYS });
    const named = files.trim().replaceAll('/etc/tributary/secrets', secrets).split(' ');
    return runCommand(
      args,
      Object.fromEntries(named.map((setting) => setting.split('=') as [string, string])),
    );
  }

  it('back up and restore the database under its roles, which is refused until it is recovered', async () => {
    for (const line of linesOf('Taking a backup', 'sql'))
      await queryAt(
        postgres.urlOf('tributary', postgres.superuser, postgres.password),
        line.replace('…', BACKUP_PASSWORD),
      );
    for (const line of commandsOf('Taking a backup'))
      run(line, { PGUSER: 'backup', PGPASSWORD: BACKUP_PASSWORD });
    await cli('npm run -s operator -- apps create --name Later');
    const commands = commandsOf('Restoring');
    const recover = commands.pop() ?? '';
    expect(commands.at(-1)).toBe(ROLES);
    for (const line of commands) run(line);
    expect((await cli('npm run -s operator -- apps list')).stderr).toMatch(REFUSED);

    writeFileSync(join(folder, 'deleted.txt'), 'no link id\n');
    expect(await cli(recover)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/these lines have none: 1\./) as unknown,
    });
    writeFileSync(join(folder, 'deleted.txt'), '');
    expect(await cli(recover)).toMatchObject({ status: 0, stderr: '' });
    const { stdout } = await runCommand(['apps', 'list'], {
      DATABASE_URL: serviceUrl(),
      MASTER_KEYS,
    });
    expect(stdout).toContain('Ledger');
    expect(stdout).not.toContain('Later');
    const owners = await queryAt<{ owner: string }>(
      ownerUrl(),
      `SELECT DISTINCT schemaname || ': ' || tableowner AS owner FROM pg_tables
        WHERE schemaname IN ('public', 'sandbox_bank') ORDER BY 1`,
    );
    expect(owners.map(({ owner }) => owner)).toEqual([
      'public: tributary',
      'sandbox_bank: sandbox_bank',
    ]);
    expect(await queryAt(bankUrl(), 'SELECT * FROM sandbox_bank.logins')).toEqual([]);
    const migrated = execFileSync(process.execPath, ['dist/prisma/base/migrate/main.js'], {
      env: { PATH: process.env['PATH'], DATABASE_URL: ownerUrl() },
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(migrated).toBe('The database is up to date.\n');
  });

  it('find nothing to recover where nothing was restored', async () => {
    for (const line of [
      ...commandsOf('Failover'),
      ...commandsOf('Restores that the database cannot detect'),
    ])
      expect({ line, ...(await cli(line)) }).toMatchObject({ line, status: 0, stderr: '' });
  });

  it('perform the drill on a second database', async () => {
    const [createdb = '', restore = '', refused = '', recover = '', keys = '', dropdb = ''] =
      commandsOf('The drill');
    run(createdb);
    run(restore);
    expect((await cli(refused)).stderr).toMatch(REFUSED);
    expect(await cli(recover)).toMatchObject({ status: 0 });
    expect((await cli(keys)).stdout).toMatch(/k1/);
    run(dropdb);
  });

  it('have a form for systemd, which reads the secrets from files', async () => {
    rmSync(join(secrets, 'owner_database_url'));
    writeFileSync(join(secrets, 'owner_database_url'), ownerUrl());
    const [recover = '', addressOfCopy = '', recoverCopy = '', keys = ''] = commandsOf(
      'Recovery and the drill',
      DEPLOYING,
    );
    writeFileSync(join(folder, 'deleted.txt'), '');
    expect(await cli(recover)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/nothing to recover/) as unknown,
    });

    const [createdb = '', restore = '', , , , dropdb = ''] = commandsOf('The drill');
    run(createdb);
    run(restore);
    run(addressOfCopy);
    expect(await cli(recoverCopy)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/The service writes to this database/) as unknown,
    });
    expect((await cli(keys)).stdout).toMatch(/k1/);
    run(dropdb);
  });
});
