import { appendFileSync, chmodSync, chownSync, copyFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { postgresAccount } from '../../../apps/standalone/src/postgres/postgres-account.js';
import { findPostgres } from '../../../apps/standalone/src/postgres/postgres-binaries.js';
import {
  POSTGRES_DATABASE,
  POSTGRES_USER,
  PostgresCluster,
} from '../../../apps/standalone/src/postgres/postgres-cluster.js';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { launch } from '../../../apps/standalone/src/supervision/launch.js';
import { queryAt } from '../services/postgres.mjs';
import type { Certificates } from './certificates.js';
import { ClusterProcess } from './cluster-process.js';

/** PostgreSQL that accepts connections with TLS only, with an empty database for the service. */
export interface ClusterPostgres {
  process: ClusterProcess;
  port: number;
  user: string;
  password: string;
  /**
   * The address of a database, with the CA to verify the server; by default that of the service.
   */
  urlOf(database?: string, ca?: string): string;
}

export interface ClusterPostgresOptions {
  /** Of its files in the folder. */
  name: string;
  /** False: committed data is not flushed to the disk. */
  durable: boolean;
}

export async function startClusterPostgres(
  folder: string,
  certificates: Certificates,
  { name, durable }: ClusterPostgresOptions,
): Promise<ClusterPostgres> {
  const data = join(folder, name);
  const password = randomBytes(12).toString('hex');
  const port = await freePort('127.0.0.1');
  const urlOf = (database = POSTGRES_DATABASE, ca = certificates.ca) =>
    `postgresql://${POSTGRES_USER}:${password}@localhost:${port}/${database}?sslmode=verify-full&sslrootcert=${ca}`;
  await new PostgresCluster({ folder: data, port, password, durable, log: 'ignore' }).initialize();
  configure(data, certificates, { port, durable });
  const { postgres } = await findPostgres();
  const process = new ClusterProcess({
    name,
    log: join(folder, `${name}.log`),
    launch: (log) =>
      launch(postgres, {
        args: ['-D', data],
        deathSignal: 'SIGINT',
        account: postgresAccount(data),
        reaches: [join(data, 'PG_VERSION')],
        stdio: ['ignore', log, log],
      }),
    isReady: () =>
      query(urlOf('postgres'), 'SELECT 1').then(
        () => true,
        () => false,
      ),
  });
  await process.start();
  await query(urlOf('postgres'), `CREATE DATABASE ${POSTGRES_DATABASE}`);
  return { process, port, user: POSTGRES_USER, password, urlOf };
}

function configure(
  data: string,
  { server }: Certificates,
  { port, durable }: { port: number; durable: boolean },
): void {
  const own = (name: string, source: string) => {
    const path = join(data, name);
    copyFileSync(source, path);
    chmodSync(path, 0o600);
    const account = postgresAccount(data);
    if (account !== undefined) chownSync(path, account.uid, account.gid);
    return path;
  };
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '400',
    // No checkpoint during a bench: after one, whole pages are logged.
    checkpoint_timeout: '1h',
    max_wal_size: '8GB',
    ssl: 'on',
    ssl_cert_file: own('server.pem', server.certificate),
    ssl_key_file: own('server.key', server.key),
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
}

export const query = (connectionString: string, statement: string) =>
  queryAt({ connectionString, connectionTimeoutMillis: 10_000 }, statement);
