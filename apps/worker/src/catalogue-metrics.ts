import { Gauge, type Registry } from 'prom-client';
import type { CatalogueRepository } from '../../../prisma/catalogue/catalogue.repository.js';

/** How many institutions each provider lists, counted when the metrics are read. */
export function collectCatalogueMetrics(
  registry: Registry,
  catalogue: Pick<CatalogueRepository, 'counts'>,
): void {
  new Gauge({
    name: 'tributary_catalogue_entries',
    help: 'Institutions by provider: listed, gone from its list, and doubtful among the listed',
    labelNames: ['provider', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      // The other metrics are readable while the database is away.
      const counts = await catalogue.counts().catch(() => []);
      for (const { provider, listed, gone, doubtful } of counts) {
        this.set({ provider, state: 'listed' }, listed);
        this.set({ provider, state: 'gone' }, gone);
        this.set({ provider, state: 'doubtful' }, doubtful);
      }
    },
  });
}
