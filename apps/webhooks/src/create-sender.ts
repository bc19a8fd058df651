import type { Context } from '../../../prisma/base/context.js';
import { RetryStartRepository } from '../../../prisma/announcements/webhooks/retry-start.repository.js';
import { WebhookClaimRepository } from '../../../prisma/announcements/webhooks/webhook-claim.repository.js';
import type { Settings } from '../../platform/src/config/settings.js';
import {
  createWebhookAttempts,
  type WebhookAttemptsSettings,
} from './sending/create-webhook-attempts.js';
import { Relay } from './relay.js';
import { RetryStarter } from './retry-starter.js';

/** Attempts in flight of this process: each is an open file. */
const MAX_IN_FLIGHT = 1_500;
/** Time from a failure to its first retry, by the default plan: starts that wait no longer are in time. */
const FIRST_GAP_SECONDS = 5;

export interface SenderOptions extends Omit<WebhookAttemptsSettings, 'ctx' | 'settings'> {
  ctx: Context;
  settings: WebhookAttemptsSettings['settings'] &
    Pick<
      Settings,
      'webhookAttemptsPerApp' | 'webhookRetryStarts' | 'webhookRetryStartsPerEndpoint'
    >;
  pollMs?: number | undefined;
}

export interface Sender {
  relay: Relay;
  retries: RetryStarter;
  countLate: () => Promise<number>;
  close: () => Promise<void>;
}

/** Assembles the webhook sender of one process. */
export function createSender({ pollMs, ...options }: SenderOptions): Sender {
  const { ctx, settings, logger } = options;
  const { attempts, slots, close } = createWebhookAttempts(options);
  const starts = new RetryStartRepository(ctx);
  const retries = new RetryStarter({
    retries: starts,
    perSecond: {
      process: settings.webhookRetryStarts,
      endpoint: settings.webhookRetryStartsPerEndpoint,
    },
    logger,
  });
  const relay = new Relay({
    claims: new WebhookClaimRepository(ctx),
    attempts,
    onFailed: () => retries.wake(),
    logger,
    slots,
    maxInFlight: MAX_IN_FLIGHT,
    maxInFlightPerApp: settings.webhookAttemptsPerApp,
    maxWaitingRetries: FIRST_GAP_SECONDS * settings.webhookRetryStartsPerEndpoint,
    pollMs,
  });
  return { relay, retries, countLate: () => starts.countLate(), close };
}
