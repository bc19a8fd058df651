import type { CatalogueSyncResult } from '../../activities/catalogue/catalogue-activities.js';
import { LINKS_QUEUE } from '../task-queues.js';

export const CATALOGUE_SYNC_WORKFLOW = 'catalogueSync';

export interface CatalogueSyncInput {
  /** The name of a provider's configuration. */
  configuration: string;
  /** Switch even if more than half of the known institutions are missing. */
  acceptLosses: boolean;
}

export type { CatalogueSyncResult };

export const CATALOGUE_SYNC_PREFIX = 'catalogue-sync/';

/**
 * The id of the Schedule and of the workflow; the server appends the time to that of a scheduled
 * one.
 */
export function catalogueSyncId(configuration: string): string {
  return CATALOGUE_SYNC_PREFIX + configuration;
}

function describe(configuration: string) {
  return {
    staticSummary: `Institutions of ${configuration}`,
    staticDetails:
      "Reads the provider's whole list of institutions, then switches the catalogue to it at once. " +
      'The result lists the changes, or reports that the list was refused because more than half of the known institutions are missing.',
  };
}

/** For `client.workflow.start(CATALOGUE_SYNC_WORKFLOW, …)`: a sync that an operator requests. */
export function catalogueSyncStartOptions(input: CatalogueSyncInput) {
  return {
    workflowId: catalogueSyncId(input.configuration),
    taskQueue: LINKS_QUEUE,
    args: [input] as [CatalogueSyncInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    ...describe(input.configuration),
  };
}

/** The action of a configuration's Schedule. */
export function catalogueSyncAction(configuration: string) {
  return {
    type: 'startWorkflow' as const,
    workflowType: CATALOGUE_SYNC_WORKFLOW,
    workflowId: catalogueSyncId(configuration),
    taskQueue: LINKS_QUEUE,
    args: [{ configuration, acceptLosses: false }] as [CatalogueSyncInput],
    ...describe(configuration),
  };
}
