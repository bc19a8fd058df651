import { proxyActivities } from '@temporalio/workflow';
import type { CatalogueActivities } from '../../activities/catalogue/catalogue-activities.js';
import { WHOLE_LIST } from '../activity-options.js';
import { providerQueue } from '../task-queues.js';
import type { CatalogueSyncInput, CatalogueSyncResult } from './catalogue-sync.contract.js';

/**
 * One sync of a provider's institutions. What it does is one activity, because the switch is one
 * transaction over the whole list and the list must not enter a history. It ends with the next
 * sync at the latest.
 */
export async function catalogueSync({
  configuration,
  acceptLosses,
}: CatalogueSyncInput): Promise<CatalogueSyncResult> {
  const { syncCatalogue } = proxyActivities<CatalogueActivities>({
    ...WHOLE_LIST,
    taskQueue: providerQueue(configuration),
  });
  return syncCatalogue({ configuration, acceptLosses });
}
