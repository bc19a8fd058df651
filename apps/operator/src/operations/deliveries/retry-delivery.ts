import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { RetryRequest } from '../../../../../prisma/announcements/webhooks/webhook-delivery.repository.js';
import { webhookDeliveryWorkflowId } from '../../../../../workflows/webhook-delivery/webhook-delivery.contract.js';
import type { Service } from '../../service.js';

/** gRPC status codes. */
const NOT_FOUND = 5;
const ATTEMPT_ACTIVITY = 'attemptDelivery';

/** Makes the next attempt due now. The row decides; Temporal is only notified. */
export async function retryDelivery(
  { deliveries, temporal }: Pick<Service, 'deliveries' | 'temporal'>,
  deliveryId: string,
): Promise<RetryRequest> {
  const retried = await deliveries.retryNow(deliveryId);
  if (retried.kind === 'due' && retried.isLater) await hasten(await temporal(), deliveryId);
  return retried;
}

/**
 * Ends the wait of the pending activity. Without a workflow, the delivery is already in progress.
 */
async function hasten(client: Client, deliveryId: string): Promise<void> {
  try {
    await client.workflowService.resetActivity({
      namespace: client.options.namespace,
      execution: { workflowId: webhookDeliveryWorkflowId(deliveryId) },
      type: ATTEMPT_ACTIVITY,
    });
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== NOT_FOUND) throw error;
  }
}
