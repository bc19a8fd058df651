import { proxyActivities } from '@temporalio/workflow';
import type { CatalogueActivities } from '../../activities/catalogue/catalogue-activities.js';
import { WHOLE_LIST, WHOLE_LIST_FOR_MS } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import { WAITS } from '../details/wait-texts.js';
import { providerQueue } from '../task-queues.js';
import type { CatalogueSyncInput, CatalogueSyncResult } from './catalogue-sync.contract.js';

/**
 * One sync of a provider's institutions. The work is one activity, because the switch is one
 * transaction over the whole list and the list must not enter a history. It ends with the next sync
 * at the latest.
 */
export async function catalogueSync({
  configuration,
  acceptLosses,
}: CatalogueSyncInput): Promise<CatalogueSyncResult> {
  const { syncCatalogue } = proxyActivities<CatalogueActivities>({
    ...WHOLE_LIST,
    taskQueue: providerQueue(configuration),
  });
  const details = new CurrentDetails().at({ provider: configuration });
  details.waitFor(WAITS.institutions(), { until: Date.now() + WHOLE_LIST_FOR_MS });
  const result = await syncCatalogue({ configuration, acceptLosses });
  details.done();
  return result;
}
