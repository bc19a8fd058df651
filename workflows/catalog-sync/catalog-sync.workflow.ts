import { proxyActivities } from '@temporalio/workflow';
import type { CatalogActivities } from '../../activities/catalog/catalog-activities.js';
import { WHOLE_LIST, WHOLE_LIST_FOR_MS } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import { providerQueue } from '../task-queues.js';
import type { CatalogSyncInput, CatalogSyncResult } from './catalog-sync.contract.js';

/**
 * One sync of a provider's institutions. The work is one activity, because the switch is one
 * transaction over the whole list and the list must not enter a history. It ends with the next sync
 * at the latest.
 */
export async function catalogSync({
  configuration,
  acceptLosses,
}: CatalogSyncInput): Promise<CatalogSyncResult> {
  const { syncCatalog } = proxyActivities<CatalogActivities>({
    ...WHOLE_LIST,
    taskQueue: providerQueue(configuration),
  });
  const details = new CurrentDetails().at({ provider: configuration });
  details.waitFor("the provider's whole list of institutions", {
    until: Date.now() + WHOLE_LIST_FOR_MS,
  });
  const result = await syncCatalog({ configuration, acceptLosses });
  details.done();
  return result;
}
