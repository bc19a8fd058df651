import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates, type Certificates } from './certificates.js';
import { startClusterPostgres, type ClusterPostgres } from './cluster-postgres.js';
import { startTemporalCluster, type TemporalCluster } from './temporal-cluster.js';

/** PostgreSQL and a Temporal cluster on it, both with TLS only. */
export interface WholeCluster {
  folder: string;
  certificates: Certificates;
  postgres: ClusterPostgres;
  temporal: TemporalCluster;
  stop(): Promise<void>;
}

/** @param durable false: what is committed is not flushed to the disk */
export async function startWholeCluster({ durable = false } = {}): Promise<WholeCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-cluster-'));
  // PostgreSQL may run under another account.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  const certificates = await makeCertificates(folder);
  const postgres = await startClusterPostgres(folder, certificates, { durable });
  const temporal = await startTemporalCluster(folder, postgres, certificates);
  return {
    ...{ folder, certificates, postgres, temporal },
    stop: async () => {
      await Promise.all(Object.values(temporal.processes).map((each) => each.kill()));
      await postgres.process.stop('SIGINT');
      process.off('exit', remove);
      remove();
    },
  };
}
