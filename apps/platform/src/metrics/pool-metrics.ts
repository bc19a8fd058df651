import type { Registry } from 'prom-client';
import type { Database } from '../../../../prisma/base/database/database.js';
import { createGauge } from './create-metric.js';

/** The load of this process's PostgreSQL connections, at the scrape. */
export function collectPoolMetrics(
  registry: Registry,
  database: Pick<Database, 'pool' | 'hot'>,
): void {
  const pools = [
    ['main', database.pool],
    ['hot', database.hot],
  ] as const;
  createGauge(registry, 'tributary_pool_connections', function () {
    for (const [pool, { totalCount, idleCount }] of pools) {
      this.set({ pool, state: 'used' }, totalCount - idleCount);
      this.set({ pool, state: 'idle' }, idleCount);
    }
  });
  createGauge(registry, 'tributary_pool_connections_max', function () {
    for (const [pool, { options }] of pools) this.set({ pool }, options.max);
  });
  createGauge(registry, 'tributary_pool_waiting', function () {
    for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
  });
}
