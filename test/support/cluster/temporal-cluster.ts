import { connect } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { launch } from '../../../apps/standalone/src/supervision/launch.js';
import { runProgram } from '../../../apps/standalone/src/supervision/run-program.js';
import type { Certificates } from './certificates.js';
import { ClusterProcess } from './cluster-process.js';
import type { ClusterPostgres } from './cluster-postgres.js';
import {
  CLUSTER_ROLES,
  dynamicConfig,
  serverConfig,
  TEMPORAL_DATABASES,
  type ClusterPorts,
  type ClusterRole,
  type TemporalStores,
} from './server-config.js';
import { setUpNamespace } from '../../../apps/platform/src/temporal/set-up-namespace.js';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../workflows/search-attribute-types.contract.js';
import { eventually } from '../assertions/eventually.js';

const RETENTION_MS = 86_400_000;

/** Creates the same as `operator temporal setup`. Returns when the cluster has it. */
async function makeNamespace(connection: Connection, namespace: string): Promise<void> {
  // A frontend listens before it knows the other processes.
  await eventually(() =>
    setUpNamespace(connection, {
      namespace,
      attributes: SEARCH_ATTRIBUTE_TYPES,
      retentionMs: RETENTION_MS,
    }),
  );
}

const NAMESPACE = 'tributary';
const SCHEMA_WITHIN_MS = 120_000;
const FRONTEND_WITHIN_MS = 30_000;

/** A Temporal cluster of five processes, whose frontend speaks TLS with clients that have a certificate. */
export interface TemporalCluster {
  processes: Readonly<Record<ClusterRole, ClusterProcess>>;
  /** The connection of the service to it, as settings. */
  env: Readonly<Record<string, string>>;
}

export async function startTemporalCluster(
  folder: string,
  stores: TemporalStores,
  certificates: Certificates,
): Promise<TemporalCluster> {
  for (const name of ['temporal', 'visibility'] as const) await makeSchema(name, stores[name]);
  const ports = await choosePorts();
  const dynamicConfigFile = join(folder, 'dynamic-config.yaml');
  writeFileSync(dynamicConfigFile, dynamicConfig());
  const processOf = (role: ClusterRole): ClusterProcess => {
    const config = join(folder, `${role}.yaml`);
    const options = { role, ports, stores, certificates, dynamicConfigFile };
    writeFileSync(config, serverConfig(options), { mode: 0o600 });
    const service = role.replace(/-\d$/, '');
    return new ClusterProcess({
      name: role,
      log: join(folder, `${role}.log`),
      launch: (log) =>
        launch(program('CLUSTER_SERVER'), {
          args: ['--config-file', config, '--allow-no-auth', 'start', '--service', service],
          deathSignal: 'SIGTERM',
          stdio: ['ignore', log, log],
        }),
      isReady: () => listens(ports[role].rpc),
    });
  };
  const processes = Object.fromEntries(
    CLUSTER_ROLES.map((role) => [role, processOf(role)]),
  ) as Record<ClusterRole, ClusterProcess>;
  // Together they fail on a new database: "SaveClusterMetadata version mismatch".
  for (const role of CLUSTER_ROLES) await processes[role].start();
  const address = `localhost:${ports.frontend.rpc}`;
  const connection = await Connection.connect({
    address,
    connectTimeout: FRONTEND_WITHIN_MS,
    tls: {
      serverRootCACertificate: readFileSync(certificates.ca),
      clientCertPair: {
        crt: readFileSync(certificates.client.certificate),
        key: readFileSync(certificates.client.key),
      },
    },
  });
  await makeNamespace(connection, NAMESPACE).finally(() => connection.close());
  const env = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificates.ca,
    TEMPORAL_TLS_CLIENT_CERT_PATH: certificates.client.certificate,
    TEMPORAL_TLS_CLIENT_KEY_PATH: certificates.client.key,
  };
  return { processes, env };
}

async function makeSchema(
  store: keyof TemporalStores,
  { port, user, password }: ClusterPostgres,
): Promise<void> {
  const sql = async (...args: string[]) => {
    const server = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '-p', String(port)];
    const access = ['-u', user, '--pw', password, '--db', TEMPORAL_DATABASES[store]];
    // The tool runs on this machine, and need not verify the server.
    const tls = ['--tls', '--tls-disable-host-verification'];
    const { ok, output } = await runProgram(
      program('CLUSTER_SQL_TOOL'),
      [...server, ...access, ...tls, ...args],
      { within: SCHEMA_WITHIN_MS },
    );
    if (!ok) throw new Error(`the schema of Temporal could not be made:\n${output}`);
  };
  await sql('create-database');
  await sql('setup-schema', '-v', '0.0');
  await sql('update-schema', '--schema-name', `postgresql/v12/${store}`);
}

async function choosePorts(): Promise<ClusterPorts> {
  const taken: number[] = [];
  const next = async () => {
    const port = await freePort('127.0.0.1', taken);
    taken.push(port);
    return port;
  };
  const ports: Partial<Record<ClusterRole, { rpc: number; membership: number }>> = {};
  for (const role of CLUSTER_ROLES) ports[role] = { rpc: await next(), membership: await next() };
  return ports as ClusterPorts;
}

function program(name: string): string {
  const path = process.env[name];
  if (path === undefined) throw new Error(`${name} is not set: run npm run test:cluster`);
  return path;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
