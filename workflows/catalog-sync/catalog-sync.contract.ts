import type {
  CatalogSyncProgress,
  CatalogSyncResult,
} from '../../activities/catalog/catalog-activities.js';
import { LINKS_QUEUE } from '../task-queues.js';
import { pinned, type WorkflowContract } from '../workflow.contract.js';

export const CATALOG_SYNC_WORKFLOW = 'catalogSync';
export const CATALOG_SYNC_CONTRACT = {
  type: CATALOG_SYNC_WORKFLOW,
  versioning: pinned('one activity, which ends within a day'),
} as const satisfies WorkflowContract;

export interface CatalogSyncInput {
  /** The name of a provider's configuration. */
  configuration: string;
  /** Switch even if more than half of the known institutions are missing. */
  acceptLosses: boolean;
}

export type { CatalogSyncProgress, CatalogSyncResult };

export const CATALOG_SYNC_PREFIX = 'catalog-sync/';

/**
 * The id of the Schedule and of the workflow; the server appends the time to that of a scheduled
 * one.
 */
export function catalogSyncId(configuration: string): string {
  return CATALOG_SYNC_PREFIX + configuration;
}

function describe(configuration: string) {
  return {
    staticSummary: `Institutions of ${configuration}`,
    staticDetails:
      "Reads the provider's whole list of institutions, then switches the catalog to it at once. " +
      'The result lists the changes, or reports that the list was refused because more than half of the known institutions are missing.',
  };
}

/** For `client.workflow.start(CATALOG_SYNC_WORKFLOW, …)`: a sync that an operator requests. */
export function catalogSyncStartOptions(input: CatalogSyncInput) {
  return {
    workflowId: catalogSyncId(input.configuration),
    taskQueue: LINKS_QUEUE,
    args: [input] as [CatalogSyncInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    ...describe(input.configuration),
  };
}

/** The action of a configuration's Schedule. */
export function catalogSyncAction(configuration: string) {
  return {
    type: 'startWorkflow' as const,
    workflowType: CATALOG_SYNC_WORKFLOW,
    workflowId: catalogSyncId(configuration),
    taskQueue: LINKS_QUEUE,
    args: [{ configuration, acceptLosses: false }] as [CatalogSyncInput],
    ...describe(configuration),
  };
}
