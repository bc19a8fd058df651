import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates, type Certificates } from './certificates.js';
import { startClusterPostgres, type ClusterPostgres } from './cluster-postgres.js';
import type { TemporalStores } from './server-config.js';
import { startTemporalCluster, type TemporalCluster } from './temporal-cluster.js';

/** PostgreSQL and a Temporal cluster on it, both with TLS only. */
export interface WholeCluster {
  folder: string;
  certificates: Certificates;
  /** Of the service. */
  postgres: ClusterPostgres;
  /** The server of Temporal; the same server unless they are separate. */
  stores: TemporalStores;
  temporal: TemporalCluster;
  stop(): Promise<void>;
}

export interface WholeClusterOptions {
  /** False: committed data is not flushed to the disk. */
  durable?: boolean;
  /**
   * True if the service and each of Temporal's databases have a server of their own, so that each
   * can be measured.
   */
  apart?: boolean;
}

export async function startWholeCluster({
  durable = false,
  apart = false,
}: WholeClusterOptions = {}): Promise<WholeCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-cluster-'));
  // PostgreSQL may run under another account.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  const certificates = await makeCertificates(folder);
  const server = (name: string) => startClusterPostgres(folder, certificates, { name, durable });
  const postgres = await server('postgres');
  const stores = apart
    ? { temporal: await server('temporal-store'), visibility: await server('visibility-store') }
    : { temporal: postgres, visibility: postgres };
  const temporal = await startTemporalCluster(folder, stores, certificates);
  return {
    ...{ folder, certificates, postgres, stores, temporal },
    stop: async () => {
      await Promise.all(Object.values(temporal.processes).map((each) => each.kill()));
      const servers = new Set([postgres, ...Object.values(stores)]);
      await Promise.all([...servers].map((each) => each.process.stop('SIGINT')));
      process.off('exit', remove);
      remove();
    },
  };
}
