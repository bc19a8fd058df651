import { createWebhookActivities, type WebhookActivities } from '../../../../activities/webhook-activities.js';
import type { Context } from '../../../../prisma/context.js';
import { isTemporaryDatabaseFailure } from '../../../../prisma/database-failures.js';
import { SigningKeys } from '../../../../prisma/repositories/signing-key.repository.js';
import { WebhookDeliveryRepository } from '../../../../prisma/repositories/webhook-delivery.repository.js';
import { WebhookOutcomeRepository } from '../../../../prisma/repositories/webhook-outcome.repository.js';
import { WebhookReplayRepository } from '../../../../prisma/repositories/webhook-replay.repository.js';
import { AddressRules } from '../../../platform/src/addresses/address-rules.js';
import type { ResolveName } from '../../../platform/src/addresses/resolve-target.js';
import type { Settings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { PollLoop } from '../outbox/poll-loop.js';
import { ClaimsInPace } from './claims-in-pace.js';
import { FirstAttemptRelay } from './first-attempt-relay.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { PinnedConnections } from './pinned-connections.js';
import { WebhookAttempts } from './webhook-attempts.js';
import { createWebhookSender } from './webhook-sender.js';

/** webhooks 8.2: attempts at a time per scheme, host and port. */
const PER_ENDPOINT = 8;
/** Recording the outcome, also while the database restarts. */
const AROUND_AN_ATTEMPT_MS = 10_000;
/** Workflows begun in a second for deliveries of one endpoint that wait for one: Temporal has other work, too. */
const HANDED_AT_ONCE = 10;
const HANDING_EVERY_MS = 1_000;

export interface WebhookPartsOptions {
  ctx: Context;
  settings: Pick<Settings, 'baseUrl' | 'headerPrefix' | 'webhookTimeout' | 'webhookAttemptsAt' | 'webhookAllowedPrivateRanges'>;
  logger: Logger;
  /** A number in [0, 1) for each call. */
  chance: () => number;
  resolve?: ResolveName;
  trustedCertificates?: string;
}

export interface WebhookParts {
  deliveries: WebhookDeliveryRepository;
  outcomes: WebhookOutcomeRepository;
  keys: SigningKeys;
  relay: FirstAttemptRelay;
  /** Gives workflows to deliveries that wait for one. */
  handing: PollLoop;
  activities: WebhookActivities;
  close(): Promise<void>;
}

/** Everything in the worker that sends webhooks, joined. */
export function createWebhookParts({ ctx, settings, logger, chance, resolve, trustedCertificates }: WebhookPartsOptions): WebhookParts {
  const deliveries = new WebhookDeliveryRepository(ctx);
  const outcomes = new WebhookOutcomeRepository(ctx);
  const keys = new SigningKeys(ctx);
  const connections = new PinnedConnections({
    rules: new AddressRules(settings.webhookAllowedPrivateRanges),
    perOrigin: PER_ENDPOINT,
    connectTimeoutMs: settings.webhookTimeout,
    resolve,
    trustedCertificates,
  });
  const sender = createWebhookSender({
    issuer: settings.baseUrl,
    headerPrefix: settings.headerPrefix,
    timeoutMs: settings.webhookTimeout,
    keys,
    connections,
    clock: ctx.clock,
  });
  const recorder = new OutcomeRecorder({ outcomes, isTemporary: isTemporaryDatabaseFailure });
  const schedule = { attemptsAtMs: settings.webhookAttemptsAt };
  const attempts = new WebhookAttempts({ sender, recorder, schedule, clock: ctx.clock, jitter: chance, logger });
  const slots = { perEndpoint: PER_ENDPOINT, leaseMs: settings.webhookTimeout + AROUND_AN_ATTEMPT_MS };
  const claims = new ClaimsInPace({ deliveries, replays: new WebhookReplayRepository(ctx), wake: () => relay.wake(), clock: ctx.clock });
  const relay = new FirstAttemptRelay({ deliveries: claims, attempts, logger, ...slots });
  return {
    deliveries,
    outcomes,
    keys,
    relay,
    handing: new PollLoop({
      work: async () => {
        await outcomes.handToWorkflows(HANDED_AT_ONCE);
        return false;
      },
      pollMs: HANDING_EVERY_MS,
      onError: (err) => logger.warn({ err }, 'webhook.handing_failed'),
    }),
    activities: createWebhookActivities({
      deliveries,
      attempt: (delivery, stop) => attempts.make(delivery, stop),
      slots,
      clock: ctx.clock,
      chance,
    }),
    close: () => connections.close(),
  };
}
