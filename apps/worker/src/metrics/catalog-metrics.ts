import type { Registry } from 'prom-client';
import type { CatalogRepository } from '../../../../prisma/sources/catalog/catalog.repository.js';
import type { Reading } from '../../../platform/src/metrics/cached-reading.js';
import { createGauge } from '../../../platform/src/metrics/create-metric.js';

type CatalogCounts = Awaited<ReturnType<CatalogRepository['counts']>>;

/** Shows the number of institutions that each provider lists. */
export function collectCatalogMetrics(registry: Registry, read: Reading<CatalogCounts>): void {
  createGauge(registry, 'tributary_catalog_entries', async function () {
    const counts = await read();
    this.reset();
    for (const { provider, listed, gone, doubtful } of counts ?? []) {
      this.set({ provider, state: 'listed' }, listed);
      this.set({ provider, state: 'gone' }, gone);
      this.set({ provider, state: 'doubtful' }, doubtful);
    }
  });
}
