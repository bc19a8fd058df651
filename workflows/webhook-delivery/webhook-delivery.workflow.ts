import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhooks/webhook-activities.js';
import { DATABASE, HTTP } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import { SEE_PENDING_ACTIVITY } from '../details/render-details.js';
import { webhooksQueueBeside } from '../task-queues.js';
import type { WebhookDeliveryInput, WebhookDeliveryResult } from './webhook-delivery.contract.js';

/** Claiming a slot and recording the outcome, around the request itself. */
const AROUND_THE_REQUEST_MS = 5_000;

/**
 * Every attempt of a delivery after the first. The attempts are retries of one activity, which
 * reads the time of the next attempt from the row and fails with that delay: a crash never shifts
 * the plan. webhooks 8.1.
 */
export async function webhookDelivery({
  deliveryId,
  endpointHost,
  webhookEvent,
  attemptTimeoutMs,
  retryMs,
}: WebhookDeliveryInput): Promise<WebhookDeliveryResult> {
  const { attemptDelivery } = proxyActivities<WebhookActivities>({
    ...HTTP,
    taskQueue: webhooksQueueBeside(workflowInfo().taskQueue),
    startToCloseTimeout: attemptTimeoutMs + AROUND_THE_REQUEST_MS,
    retry: { initialInterval: retryMs, backoffCoefficient: 1 },
    summary: deliveryId,
  });
  const { stopDelivery } = proxyLocalActivities<WebhookActivities>(DATABASE);

  const details = new CurrentDetails().at({ note: SEE_PENDING_ACTIVITY });
  details.waitFor(`\`${endpointHost}\` to accept \`${webhookEvent}\``);
  try {
    const end = await attemptDelivery({ deliveryId });
    details.at({}).done();
    return end;
  } catch (error) {
    // An operator canceled it. The row must not stay open, or it would be picked up again.
    if (isCancellation(error))
      await CancellationScope.nonCancellable(() => stopDelivery({ deliveryId }));
    throw error;
  }
}
