import type {
  CatalogOutcome,
  CatalogRepository,
} from '../../prisma/sources/catalog/catalog.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';
import { reportFaults, SourceFaults, type ObserveFaults } from '../source-faults.js';
import { readCatalog } from './read-catalog.js';
import { refreshLogos, type LogoDeps } from './refresh-logos.js';

export interface CatalogActivityDeps {
  catalog: Pick<CatalogRepository, 'environmentOf' | 'switchTo'>;
  providers: Pick<ProviderRegistry, 'get'>;
  logos: LogoDeps;
  observeFaults?: ObserveFaults;
}

export interface CatalogToSync {
  configuration: string;
  /** Switch even if more than half of the known institutions are missing. */
  acceptLosses: boolean;
}

/** Counts only: the entries go from the provider into the database. */
export type CatalogSyncResult =
  | (CatalogOutcome & {
      /** The number of entries that are unusable or from other countries. */
      ignored: number;
      /** The number of entries that the adapter could not read. */
      unreadable: number;
    })
  /** The configuration was removed in the meantime. */
  | { kind: 'no_configuration' };

/** The progress of a sync, in its heartbeats. */
export interface CatalogSyncProgress {
  /** The number of entries that the provider has sent. */
  read: number;
  /** The whole list was read, and is being stored. */
  isComplete: boolean;
}

/** The sync of a provider's institutions. Runs on the task queue of its provider. */
export function createCatalogActivities({
  catalog,
  providers,
  logos,
  observeFaults,
}: CatalogActivityDeps) {
  return {
    /**
     * Reads the whole list, then switches to it in one transaction. Nothing is stored before that:
     * a lost attempt leaves no trace, and the next one starts over. Then reads logos, each stored by
     * itself.
     */
    async syncCatalog({ configuration, acceptLosses }: CatalogToSync): Promise<CatalogSyncResult> {
      return withHeartbeats<CatalogSyncResult, CatalogSyncProgress>(async (signal, progress) => {
        const environment = await catalog.environmentOf(configuration);
        if (environment === null) return { kind: 'no_configuration' };
        const provider = providers.get(configuration);
        const faults = new SourceFaults();
        const { entries, ignored } = await readCatalog(provider, {
          note: faults.note,
          onRead: (read) => progress({ read, isComplete: false }),
          signal,
        })
          .catch((error: unknown) => {
            faults.fail(error);
            throw error;
          })
          .finally(() =>
            reportFaults(observeFaults, provider, { linkId: null, operation: 'catalog' }, faults),
          );
        progress({ read: entries.length + ignored, isComplete: true });
        const outcome = await catalog.switchTo({
          provider: configuration,
          environment,
          entries,
          // A list built into the adapter is always complete.
          acceptLosses: acceptLosses || provider.listInstitutions === undefined,
        });
        await refreshLogos(logos, configuration, signal);
        return { ...outcome, ignored, unreadable: faults.count('institution') };
      });
    },
  };
}

export type CatalogActivities = ReturnType<typeof createCatalogActivities>;
