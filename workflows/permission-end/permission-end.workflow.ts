import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PermissionActivities } from '../../activities/sandbox/permission-activities.js';
import { DATABASE, UNTIL_DELIVERED } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import { SEE_PENDING_ACTIVITY } from '../details/render-details.js';
import { providerQueue } from '../task-queues.js';
import type { PermissionEndInput } from './permission-end.contract.js';

/**
 * Notifies the bank that a permission has ended, and retries until the bank is reachable.
 * link-lifecycle 10.
 */
export async function permissionEnd(permission: PermissionEndInput): Promise<void> {
  const { endPermission } = proxyActivities<PermissionActivities>({
    ...UNTIL_DELIVERED,
    taskQueue: providerQueue(permission.provider),
    summary: permission.linkId,
  });
  const { forgetEndOfPermission } = proxyLocalActivities<PermissionActivities>(DATABASE);
  const details = new CurrentDetails();
  details.at({ provider: permission.provider, note: SEE_PENDING_ACTIVITY });
  details.waitFor('the sandbox bank to refuse the permission');
  try {
    await endPermission(permission);
    details.at({ provider: permission.provider }).done();
  } catch (error) {
    // The bank cannot be notified, or an operator canceled: an open row would be picked up again.
    await CancellationScope.nonCancellable(() => forgetEndOfPermission(permission));
    throw error;
  }
}
