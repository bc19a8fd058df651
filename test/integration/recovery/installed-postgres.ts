import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
export function installedPostgres(): string | null {
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
export class InstalledPostgres {
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
