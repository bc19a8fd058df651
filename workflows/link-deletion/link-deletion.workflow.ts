import {
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type {
  DeletionActivities,
  DeletionPlan,
} from '../../activities/deletion/deletion-activities.js';
import { DATABASE } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import { oneAtATime } from '../one-at-a-time.js';
import { productRefreshWorkflowId } from '../product-refresh/product-refresh.contract.js';
import { SEARCH_ATTRIBUTES } from '../search-attributes.js';
import {
  deletionRequestedSignal,
  type LinkDeletionInput,
  type LinkDeletionResult,
} from './link-deletion.contract.js';
import { Revocations } from './revocations.js';

/**
 * Ends the parts of a link that outlive it: its refresh and its permissions at the bank. The
 * transaction that deleted the link already erased everything stored for it. Also revokes
 * permissions of links that were never exchanged and of abandoned attempts. link-lifecycle 9.
 */
export async function linkDeletion(input: LinkDeletionInput): Promise<LinkDeletionResult> {
  const deletion = oneAtATime(proxyLocalActivities<DeletionActivities>(DATABASE));
  const details = new CurrentDetails();
  const revocations = new Revocations(input, deletion, details);
  const requests = { waiting: true };
  setHandler(deletionRequestedSignal, () => {
    requests.waiting = true;
  });

  while (requests.waiting) {
    requests.waiting = false;
    const plan = await deletion.planDeletion(input.linkId);
    if (plan !== null) {
      publishPlan(plan);
      details.at({ institution: plan.institutionId });
      revocations.start(plan.revocations);
      if (plan.deleted) await endRefresh(input.linkId);
    }
    await condition(() => requests.waiting || revocations.areDone);
    if (revocations.defect !== undefined) throw revocations.defect;
  }
  return revocations.result;
}

/** The refresh can no longer write; canceling it stops further calls to the bank. */
async function endRefresh(linkId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(productRefreshWorkflowId(linkId)).cancel();
  } catch (error) {
    // No refresh is running.
    if (isCancellation(error)) throw error;
  }
}

function publishPlan({ appId, environment, institutionId }: DeletionPlan): void {
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.appId, value: appId },
    { key: SEARCH_ATTRIBUTES.environment, value: environment },
    { key: SEARCH_ATTRIBUTES.institutionId, value: institutionId },
  ]);
}
