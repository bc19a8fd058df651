import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ProviderWebhookActivities } from '../../activities/provider-webhooks/provider-webhook-activities.js';
import { BATCHED_DATABASE, UNTIL_DELIVERED } from '../activity-options.js';
import { providerQueue } from '../task-queues.js';
import type { ProviderWebhookInput } from './provider-webhook.contract.js';

/** As long as the row is kept: its configuration may be disabled for a while. */
const READ_WITHIN_MS = 7 * 86_400_000;

/** Reads a webhook of a source on the queue of its provider, then applies what it means. */
export async function providerWebhook({
  webhookId,
  provider,
}: ProviderWebhookInput): Promise<void> {
  const { readProviderWebhook } = proxyActivities<ProviderWebhookActivities>({
    ...UNTIL_DELIVERED,
    scheduleToCloseTimeout: READ_WITHIN_MS,
    taskQueue: providerQueue(provider),
    summary: webhookId,
  });
  const { applyProviderWebhook, giveUpProviderWebhook } =
    proxyLocalActivities<ProviderWebhookActivities>(BATCHED_DATABASE);
  try {
    await readProviderWebhook({ webhookId, provider });
  } catch (error) {
    // No retry can read it, or an operator canceled: an open row would be picked up again.
    await CancellationScope.nonCancellable(() => giveUpProviderWebhook({ webhookId }));
    throw error;
  }
  await applyProviderWebhook({ webhookId });
}
