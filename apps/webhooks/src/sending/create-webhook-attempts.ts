import { ANSWER_RULES } from '../../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../../../prisma/base/context.js';
import { isTemporaryDatabaseFailure } from '../../../../prisma/base/database/database-failures.js';
import { SigningKeys } from '../../../../prisma/base/keys/signing-key.repository.js';
import { PlaidDeliveries } from '../../../../prisma/views/plaid/plaid-deliveries.js';
import { PlaidWebhookKeys } from '../../../../prisma/views/plaid/plaid-webhook-keys.js';
import type { SlotOptions } from '../../../../prisma/announcements/webhooks/webhook-claim.repository.js';
import { WebhookOutcomeRepository } from '../../../../prisma/announcements/webhooks/webhook-outcome.repository.js';
import { AddressRules } from '../../../../domain/addresses/address-rules.js';
import type { ResolveName } from '../../../platform/src/addresses/resolve-target.js';
import type { Settings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { PinnedConnections } from './pinned-connections.js';
import { WebhookAttempts, type ObserveAttempt } from './webhook-attempts.js';
import { createEnvelopes } from '../../../platform/src/envelopes/webhook-envelope.js';
import { createWebhookSender } from './webhook-sender.js';

/** webhooks 8.2: attempts at a time per scheme, host and port. */
const PER_ENDPOINT = 8;
/** Origins whose connections stay open; each connection is an open file. */
const KEPT_ORIGINS = 250;
/** plaid-compat 8.3. */
const PLAID_TIMEOUT_MS = 10_000;
/** For recording the outcome, also while the database restarts. */
const AROUND_AN_ATTEMPT_MS = 10_000;

export interface WebhookAttemptsSettings {
  ctx: Context;
  settings: Pick<
    Settings,
    | 'baseUrl'
    | 'headerPrefix'
    | 'webhookTimeout'
    | 'webhookAttemptsAt'
    | 'compatWebhookAttemptsAt'
    | 'webhookAllowedPrivateRanges'
    | 'webhookRefusedRanges'
  >;
  logger: Logger;
  /** A number in [0, 1) for each call. */
  chance: () => number;
  resolve?: ResolveName | undefined;
  trustedCertificates?: string | undefined;
  observe?: ObserveAttempt | undefined;
}

/** The attempts of this process: the first ones (apps/webhooks) or retries (the activities of the worker). */
export function createWebhookAttempts({
  ctx,
  settings,
  logger,
  chance,
  resolve,
  trustedCertificates,
  observe,
}: WebhookAttemptsSettings): {
  attempts: WebhookAttempts;
  slots: SlotOptions;
  close: () => Promise<void>;
} {
  const { webhookTimeout } = settings;
  const plaid = new PlaidDeliveries(ctx);
  const connections = new PinnedConnections({
    rules: new AddressRules(settings),
    perOrigin: PER_ENDPOINT,
    connectTimeoutMs: webhookTimeout,
    maxKept: KEPT_ORIGINS,
    resolve,
    trustedCertificates,
  });
  const sender = createWebhookSender({
    envelopes: createEnvelopes({
      issuer: settings.baseUrl,
      headerPrefix: settings.headerPrefix,
      keys: new SigningKeys(ctx),
      plaidKeys: new PlaidWebhookKeys(ctx),
    }),
    timeoutMs: { native: webhookTimeout, plaid: Math.min(webhookTimeout, PLAID_TIMEOUT_MS) },
    openBody: (delivery) => plaid.body(delivery),
    connections,
    clock: ctx.clock,
  });
  const attempts = new WebhookAttempts({
    sender,
    recorder: new OutcomeRecorder({
      outcomes: new WebhookOutcomeRepository(ctx),
      isTemporary: isTemporaryDatabaseFailure,
    }),
    schedules: {
      native: { attemptsAtMs: settings.webhookAttemptsAt, rules: ANSWER_RULES.native },
      plaid: { attemptsAtMs: settings.compatWebhookAttemptsAt, rules: ANSWER_RULES.plaid },
    },
    noteAttempt: (delivery, at) =>
      plaid
        .noteAttempt(delivery, at)
        // The attempt itself is recorded, and the next one records its time as well.
        .catch((err: unknown) => logger.warn({ err }, 'webhook.note_failed')),
    clock: ctx.clock,
    jitter: chance,
    logger,
    observe,
  });
  return {
    attempts,
    slots: { perEndpoint: PER_ENDPOINT, leaseMs: webhookTimeout + AROUND_AN_ATTEMPT_MS },
    close: () => connections.close(),
  };
}
