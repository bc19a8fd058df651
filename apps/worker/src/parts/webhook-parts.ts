import {
  createWebhookActivities,
  type WebhookActivities,
} from '../../../../activities/webhooks/webhook-activities.js';
import { TenantShares } from '../../../../domain/webhooks/tenant-shares.js';
import { WebhookClaimRepository } from '../../../../prisma/announcements/webhooks/webhook-claim.repository.js';
import { WebhookDeliveryRepository } from '../../../../prisma/announcements/webhooks/webhook-delivery.repository.js';
import type { Settings } from '../../../platform/src/config/settings.js';
import {
  createWebhookAttempts,
  type WebhookAttemptsSettings,
} from '../../../webhooks/src/sending/create-webhook-attempts.js';

export interface WebhookPartsOptions extends WebhookAttemptsSettings {
  settings: WebhookAttemptsSettings['settings'] & Pick<Settings, 'webhookAttemptsPerApp'>;
}

export interface WebhookParts {
  deliveries: WebhookDeliveryRepository;
  activities: WebhookActivities;
  close: () => Promise<void>;
}

/** The dependencies of webhook retries, the activities of `webhookDelivery`. apps/webhooks makes the first attempts. */
export function createWebhookParts(options: WebhookPartsOptions): WebhookParts {
  const { ctx, settings, chance } = options;
  const { attempts, slots, close } = createWebhookAttempts(options);
  const deliveries = new WebhookDeliveryRepository(ctx);
  return {
    deliveries,
    activities: createWebhookActivities({
      claims: new WebhookClaimRepository(ctx),
      deliveries,
      attempt: (delivery, stop) => attempts.make(delivery, stop),
      slots,
      shares: new TenantShares(settings.webhookAttemptsPerApp),
      clock: ctx.clock,
      chance,
    }),
    close,
  };
}
