import { DYNAMIC_CONFIG } from '../../../apps/standalone/src/temporal/server-settings.js';
import type { Certificates } from './certificates.js';
import { SERVER_NAME } from './certificates.js';
import type { ClusterPostgres } from './cluster-postgres.js';

/**
 * The parts of a Temporal cluster, in the order in which they start. History, which holds the
 * workflows, runs on two hosts.
 */
export const CLUSTER_ROLES = ['history-1', 'history-2', 'matching', 'frontend', 'worker'] as const;
export type ClusterRole = (typeof CLUSTER_ROLES)[number];

/** `cluster_membership.rpc_port` is a smallint: below 32,768. */
export type ClusterPorts = Readonly<Record<ClusterRole, { rpc: number; membership: number }>>;

export const TEMPORAL_DATABASES = {
  temporal: 'temporal',
  visibility: 'temporal_visibility',
} as const;
/** The server of each of Temporal's databases. */
export type TemporalStores = Readonly<Record<keyof typeof TEMPORAL_DATABASES, ClusterPostgres>>;

const SHARDS = 4;
/** One PostgreSQL serves five processes. */
const CONNECTIONS = { maxConns: 20, maxIdleConns: 20, maxConnLifetime: '1h' };

export interface ServerConfigOptions {
  role: ClusterRole;
  ports: ClusterPorts;
  stores: TemporalStores;
  certificates: Certificates;
  /** The file of `dynamicConfig()`. */
  dynamicConfigFile: string;
}

/** The configuration of one process, which the server reads as YAML. */
export function serverConfig(options: ServerConfigOptions): string {
  const { role, ports, dynamicConfigFile } = options;
  const frontend = `127.0.0.1:${ports.frontend.rpc}`;
  const service = ({ rpc, membership }: ClusterPorts[ClusterRole]) => ({
    rpc: { grpcPort: rpc, membershipPort: membership, bindOnIP: '127.0.0.1' },
  });
  return JSON.stringify({
    log: { stdout: true, level: 'warn' },
    persistence: persistence(options),
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      tls: tls(options.certificates),
    },
    // A process knows only the kinds of processes that are listed.
    services: {
      frontend: service(ports.frontend),
      matching: service(ports.matching),
      worker: service(ports.worker),
      history: service(ports[role === 'history-2' ? 'history-2' : 'history-1']),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: frontend,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: frontend },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '10s' },
  });
}

/**
 * In place of three minutes each: the time until a build of workers is seen to have no open
 * workflow.
 */
const QUICK_DRAINAGE = {
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod': '5s',
  'matching.wv.VersionDrainageStatusRefreshInterval': '5s',
};

/** The same values as in docker-compose.yml. */
export const dynamicConfig = (): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries({ ...DYNAMIC_CONFIG, ...QUICK_DRAINAGE }).map(([key, value]) => [
        key,
        [{ value }],
      ]),
    ),
  );

function persistence({ stores, certificates }: ServerConfigOptions) {
  const store = (name: keyof TemporalStores) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName: TEMPORAL_DATABASES[name],
      connectAddr: `127.0.0.1:${stores[name].port}`,
      connectProtocol: 'tcp',
      user: stores[name].user,
      password: stores[name].password,
      tls: { enabled: true, caFile: certificates.ca, enableHostVerification: true },
      ...CONNECTIONS,
    },
  });
  return {
    defaultStore: 'default',
    visibilityStore: 'visibility',
    numHistoryShards: SHARDS,
    datastores: {
      default: store('temporal'),
      visibility: store('visibility'),
    },
  };
}

/** The frontend accepts only clients with a certificate of the CA; the cluster's own worker has one, too. */
function tls({ ca, server, client }: Certificates) {
  const trusted = { serverName: SERVER_NAME, rootCaFiles: [ca] };
  return {
    frontend: {
      server: {
        certFile: server.certificate,
        keyFile: server.key,
        requireClientAuth: true,
        clientCaFiles: [ca],
      },
      client: trusted,
    },
    systemWorker: { certFile: client.certificate, keyFile: client.key, client: trusted },
  };
}
