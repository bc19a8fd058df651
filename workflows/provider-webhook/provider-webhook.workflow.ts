import {
  CancellationScope,
  proxyActivities,
  proxyLocalActivities,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { ProviderWebhookActivities } from '../../activities/provider-webhooks/provider-webhook-activities.js';
import { BATCHED_DATABASE } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import { SEE_PENDING_ACTIVITY } from '../details/render-details.js';
import { providerQueue } from '../task-queues.js';
import type { ProviderWebhookInput } from './provider-webhook.contract.js';

/**
 * The time a row is kept for a worker to process it: the configuration may be disabled for a while.
 */
const READ_FOR_MS = 7 * 86_400_000;
/** Attempts for most of a day, to fetch the key of an unavailable source. */
const READ: ActivityOptions = {
  startToCloseTimeout: 60_000,
  heartbeatTimeout: 15_000,
  scheduleToCloseTimeout: READ_FOR_MS,
  retry: {
    initialInterval: 1_000,
    backoffCoefficient: 2,
    maximumInterval: 600_000,
    maximumAttempts: 100,
  },
};

/** Reads a source's webhook on the queue of its provider, then applies its effects. */
export async function providerWebhook({
  webhookId,
  provider,
}: ProviderWebhookInput): Promise<void> {
  const { readProviderWebhook } = proxyActivities<ProviderWebhookActivities>({
    ...READ,
    taskQueue: providerQueue(provider),
    summary: webhookId,
  });
  const { applyProviderWebhook, giveUpProviderWebhook } =
    proxyLocalActivities<ProviderWebhookActivities>(BATCHED_DATABASE);
  const details = new CurrentDetails().at({ provider, note: SEE_PENDING_ACTIVITY });
  details.waitFor('the key of the provider, to verify its webhook', {
    until: Date.now() + READ_FOR_MS,
  });
  try {
    await readProviderWebhook({ webhookId, provider });
  } catch (error) {
    // No retry can read it, or an operator canceled: an open row would be picked up again.
    await CancellationScope.nonCancellable(() => giveUpProviderWebhook({ webhookId }));
    throw error;
  }
  await applyProviderWebhook({ webhookId });
  details.at({ provider }).done();
}
