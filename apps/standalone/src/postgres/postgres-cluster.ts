import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { Client } from 'pg';
import { StartFailure } from '../start-failure.js';
import { launch } from '../supervision/launch.js';
import { postgresAccount } from './postgres-account.js';
import { findPostgres } from './postgres-binaries.js';

export const POSTGRES_USER = 'tributary';
export const POSTGRES_DATABASE = 'tributary';

export interface PostgresClusterOptions {
  folder: string;
  port: number;
  password: string;
  /** False only for tests: writes are not flushed to disk. */
  durable: boolean;
  /** File descriptor of its log. */
  log: number | 'ignore';
}

const FLAGS = {
  listen_addresses: '127.0.0.1',
  // Sockets would need a world-writable folder, and their path may be too long.
  unix_socket_directories: '',
  max_connections: '200',
  // Error details contain values of rows.
  log_error_verbosity: 'terse',
  log_min_messages: 'warning',
};
const FLAGS_OF_TESTS = {
  max_connections: '500',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
};

/** A PostgreSQL server of our own: files in a folder, programs from npm. */
export class PostgresCluster {
  constructor(private readonly options: PostgresClusterOptions) {}

  urlOf(database: string): string {
    return `postgresql://${POSTGRES_USER}:${encodeURIComponent(this.options.password)}@127.0.0.1:${this.options.port}/${database}`;
  }

  /**
   * Creates the files when they do not exist. @returns whether it created them @throws StartFailure
   */
  async initialize(): Promise<boolean> {
    const { folder, password } = this.options;
    if (existsSync(join(folder, 'PG_VERSION'))) return false;
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new StartFailure(
        `The data folder is damaged: ${folder} has files but no PG_VERSION. Restore it from a backup, or move it away to start empty.`,
      );
    }
    // Created beside its final place and moved when complete, so that a crash leaves all or
    // nothing.
    const unfinished = `${folder}.unfinished`;
    const passwordFile = `${folder}.password`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600 });
    const account = postgresAccount(unfinished);
    if (account !== undefined)
      [unfinished, passwordFile].forEach((path) => {
        chownSync(path, account.uid, account.gid);
      });
    try {
      await this.runInitdb(unfinished, passwordFile);
      rmSync(folder, { recursive: true, force: true });
      renameSync(unfinished, folder);
      return true;
    } finally {
      rmSync(passwordFile, { force: true });
    }
  }

  async start(): Promise<() => ChildProcess> {
    const { folder, port, durable, log } = this.options;
    const { postgres } = await findPostgres();
    const flags = Object.entries({ ...FLAGS, ...(durable ? {} : FLAGS_OF_TESTS) }).flatMap(
      ([name, value]) => ['-c', `${name}=${value}`],
    );
    return () =>
      launch(postgres, {
        args: ['-D', folder, '-p', String(port), ...flags],
        deathSignal: 'SIGINT',
        account: postgresAccount(folder),
        reaches: [join(folder, 'PG_VERSION')],
        stdio: ['ignore', log, log],
      });
  }

  async isReady(): Promise<boolean> {
    const client = new Client({
      connectionString: this.urlOf('postgres'),
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Creates the database when it does not exist. */
  async ensureDatabase(name: string): Promise<void> {
    const client = new Client({ connectionString: this.urlOf('postgres') });
    // The statement in progress rejects.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
        name,
      ]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    } finally {
      await client.end();
    }
  }

  private async runInitdb(folder: string, passwordFile: string): Promise<void> {
    const { initdb } = await findPostgres();
    const child = launch(initdb, {
      args: [
        `--pgdata=${folder}`,
        `--username=${POSTGRES_USER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--locale=C',
        '--encoding=UTF8',
        ...(this.options.durable ? [] : ['--no-sync']),
      ],
      deathSignal: 'SIGTERM',
      account: postgresAccount(folder),
      reaches: [join(folder, 'PG_VERSION'), initdb],
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0)
      throw new StartFailure(
        `The embedded PostgreSQL could not create its files in ${folder}:\n${output.trim().split('\n').slice(-5).join('\n')}`,
      );
  }
}
