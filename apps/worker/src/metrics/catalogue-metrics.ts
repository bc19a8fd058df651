import type { Registry } from 'prom-client';
import type { CatalogueRepository } from '../../../../prisma/catalogue/catalogue.repository.js';
import type { Reading } from '../../../platform/src/metrics/cached-reading.js';
import { createGauge } from '../../../platform/src/metrics/create-metric.js';

type CatalogueCounts = Awaited<ReturnType<CatalogueRepository['counts']>>;

/** Shows the number of institutions that each provider lists. */
export function collectCatalogueMetrics(registry: Registry, read: Reading<CatalogueCounts>): void {
  createGauge(registry, 'tributary_catalogue_entries', async function () {
    const counts = await read();
    this.reset();
    for (const { provider, listed, gone, doubtful } of counts ?? []) {
      this.set({ provider, state: 'listed' }, listed);
      this.set({ provider, state: 'gone' }, gone);
      this.set({ provider, state: 'doubtful' }, doubtful);
    }
  });
}
