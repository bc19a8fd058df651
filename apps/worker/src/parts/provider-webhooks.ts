import {
  createProviderWebhookActivities,
  type ProviderWebhookDeps,
} from '../../../../activities/provider-webhooks/provider-webhook-activities.js';
import { ProviderWebhookRepository } from '../../../../prisma/work/provider-webhooks/provider-webhook.repository.js';
import type { RefreshRequestRepository } from '../../../../prisma/work/refresh/refresh-request.repository.js';
import type { BankAccess } from './bank-access.js';

/** Webhooks of sources: reading them on the queue of their provider, and applying their consequences. */
export function createProviderWebhookParts(
  { ctx, providers }: BankAccess,
  requests: RefreshRequestRepository,
  observe: ProviderWebhookDeps['observe'],
) {
  const webhooks = new ProviderWebhookRepository(ctx, requests);
  const { readProviderWebhook, ...databaseActivities } = createProviderWebhookActivities({
    webhooks,
    providers,
    observe,
  });
  return { webhooks, databaseActivities, bankActivities: { readProviderWebhook } };
}
