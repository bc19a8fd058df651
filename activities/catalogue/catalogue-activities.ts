import type {
  CatalogueOutcome,
  CatalogueRepository,
} from '../../prisma/catalogue/catalogue.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';
import { readCatalogue } from './read-catalogue.js';

export interface CatalogueActivityDeps {
  catalogue: Pick<CatalogueRepository, 'environmentOf' | 'switchTo'>;
  providers: Pick<ProviderRegistry, 'get'>;
}

export interface CatalogueToSync {
  configuration: string;
  /** Switch even if more than half of the known institutions are missing. */
  acceptLosses: boolean;
}

/** Counts only: the entries go from the provider into the database. */
export type CatalogueSyncResult =
  | (CatalogueOutcome & {
      /** The number of entries that are unusable or from other countries. */
      ignored: number;
    })
  /** The configuration was removed in the meantime. */
  | { kind: 'no_configuration' };

/** The sync of a provider's institutions. Runs on the task queue of its provider. */
export function createCatalogueActivities({ catalogue, providers }: CatalogueActivityDeps) {
  return {
    /**
     * Reads the whole list, then switches to it in one transaction. Nothing is stored before that:
     * a lost attempt leaves no trace, and the next one starts over.
     */
    async syncCatalogue({
      configuration,
      acceptLosses,
    }: CatalogueToSync): Promise<CatalogueSyncResult> {
      return withHeartbeats(async (signal) => {
        const environment = await catalogue.environmentOf(configuration);
        if (environment === null) return { kind: 'no_configuration' };
        const provider = providers.get(configuration);
        const { entries, ignored } = await readCatalogue(provider, signal);
        const outcome = await catalogue.switchTo({
          provider: configuration,
          environment,
          entries,
          // A list built into the adapter is always complete.
          acceptLosses: acceptLosses || provider.listInstitutions === undefined,
        });
        return { ...outcome, ignored };
      });
    },
  };
}

export type CatalogueActivities = ReturnType<typeof createCatalogueActivities>;
