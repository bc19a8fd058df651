import {
  createWebhookActivities,
  type WebhookActivities,
} from '../../../activities/webhooks/webhook-activities.js';
import { TenantShares } from '../../../domain/webhooks/tenant-shares.js';
import { ANSWER_RULES } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../../prisma/context.js';
import { isTemporaryDatabaseFailure } from '../../../prisma/database/database-failures.js';
import { PlaidDeliveries } from '../../../prisma/plaid/plaid-deliveries.js';
import { PlaidWebhookKeys } from '../../../prisma/plaid/plaid-webhook-keys.js';
import { SigningKeys } from '../../../prisma/keys/signing-key.repository.js';
import {
  WebhookDeliveryRepository,
  type DueDelivery,
} from '../../../prisma/webhooks/webhook-delivery.repository.js';
import { WebhookOutcomeRepository } from '../../../prisma/webhooks/webhook-outcome.repository.js';
import { WebhookReplayRepository } from '../../../prisma/webhook-log/webhook-replay.repository.js';
import { BOTH_HALVES, type EndpointHalf } from '../../../prisma/events/webhook-slots.js';
import { AddressRules } from '../../platform/src/addresses/address-rules.js';
import type { ResolveName } from '../../platform/src/addresses/resolve-target.js';
import type { Settings } from '../../platform/src/config/settings.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import { PollLoop } from '../../platform/src/process/poll-loop.js';
import { ClaimsInPace } from './claims-in-pace.js';
import { FirstAttemptRelay } from './first-attempt-relay.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { PinnedConnections } from './pinned-connections.js';
import { WebhookAttempts } from './webhook-attempts.js';
import { createEnvelopes } from './webhook-envelope.js';
import { RefusingEndpoints } from './refusing-endpoints.js';
import { createWebhookSender } from './webhook-sender.js';

/** webhooks 8.2: attempts at a time per scheme, host and port. */
const PER_ENDPOINT = 8;
/** For each half of the endpoints: first attempts held at a time, and origins whose connections stay open. Both are open files. */
const HELD_PER_HALF = 750;
const KEPT_PER_HALF = 125;
/** plaid-compat 8.3. */
const PLAID_TIMEOUT_MS = 10_000;
/** Recording the outcome, also while the database restarts. */
const AROUND_AN_ATTEMPT_MS = 10_000;
/**
 * Workflows begun in a round for deliveries that wait for one: at each of so many endpoints, and at one that refuses,
 * where each comes to nothing. Temporal has other work, too.
 */
const HANDED = { atOnce: 10, atOnceRefusing: 1, endpoints: 20 };
const HANDING_EVERY_MS = 1_000;
/** Of the rounds, those with a turn for endpoints that refuse and have more waiting than may have workflows. */
const ROUNDS_OF_OVERFULL = 5;

export interface WebhookPartsOptions {
  ctx: Context;
  settings: Pick<
    Settings,
    | 'baseUrl'
    | 'headerPrefix'
    | 'webhookTimeout'
    | 'webhookAttemptsAt'
    | 'webhookAttemptsPerApp'
    | 'compatWebhookAttemptsAt'
    | 'webhookAllowedPrivateRanges'
    | 'webhookRefusedRanges'
  >;
  logger: Logger;
  /** A number in [0, 1) for each call. */
  chance: () => number;
  resolve?: ResolveName;
  trustedCertificates?: string;
  /** How often the relay looks for first attempts that no notification told it of. */
  pollMs?: number;
  refusing?: RefusingEndpoints;
  /** Endpoints whose first attempts it makes. */
  halves?: readonly EndpointHalf[];
}

export interface WebhookParts {
  deliveries: WebhookDeliveryRepository;
  outcomes: WebhookOutcomeRepository;
  keys: SigningKeys;
  refusing: RefusingEndpoints;
  /** What makes first attempts; in service it runs in a thread of its own (threaded-relay.ts). */
  createRelay: () => FirstAttemptRelay;
  /** Gives workflows to deliveries that wait for one. */
  handing: PollLoop;
  activities: WebhookActivities;
  close(): Promise<void>;
}

/** Everything in the worker that sends webhooks, joined. */
export function createWebhookParts({
  ctx,
  settings,
  logger,
  chance,
  resolve,
  trustedCertificates,
  pollMs,
  refusing = new RefusingEndpoints(),
  halves = BOTH_HALVES,
}: WebhookPartsOptions): WebhookParts {
  const deliveries = new WebhookDeliveryRepository(ctx);
  const outcomes = new WebhookOutcomeRepository(ctx);
  const keys = new SigningKeys(ctx);
  const plaid = new PlaidDeliveries(ctx);
  const connections = new PinnedConnections({
    rules: new AddressRules(settings),
    perOrigin: PER_ENDPOINT,
    connectTimeoutMs: settings.webhookTimeout,
    mostKept: KEPT_PER_HALF * halves.length,
    resolve,
    trustedCertificates,
  });
  const sender = createWebhookSender({
    envelopes: createEnvelopes({
      issuer: settings.baseUrl,
      headerPrefix: settings.headerPrefix,
      keys,
      plaidKeys: new PlaidWebhookKeys(ctx),
    }),
    timeoutMs: {
      native: settings.webhookTimeout,
      plaid: Math.min(settings.webhookTimeout, PLAID_TIMEOUT_MS),
    },
    openBody: (delivery) => plaid.body(delivery),
    connections,
    clock: ctx.clock,
  });
  const recorder = new OutcomeRecorder({ outcomes, isTemporary: isTemporaryDatabaseFailure });
  const schedules = {
    native: { attemptsAtMs: settings.webhookAttemptsAt, rules: ANSWER_RULES.native },
    plaid: { attemptsAtMs: settings.compatWebhookAttemptsAt, rules: ANSWER_RULES.plaid },
  };
  const noteAttempt = (
    delivery: Pick<DueDelivery, 'linkId' | 'webhookEvent'>,
    at: Date,
  ): Promise<void> =>
    plaid
      .noteAttempt(delivery, at)
      // The attempt itself is recorded: that it was the last one is told by the next, too.
      .catch((err: unknown) => logger.warn({ err }, 'webhook.note_failed'));
  const attempts = new WebhookAttempts({
    sender,
    recorder,
    refusing,
    schedules,
    noteAttempt,
    clock: ctx.clock,
    jitter: chance,
    logger,
  });
  const slots = {
    perEndpoint: PER_ENDPOINT,
    leaseMs: settings.webhookTimeout + AROUND_AN_ATTEMPT_MS,
  };
  return {
    deliveries,
    outcomes,
    keys,
    refusing,
    createRelay: () => {
      const claims = new ClaimsInPace({
        deliveries,
        replays: new WebhookReplayRepository(ctx),
        wake: () => relay.wake(),
        clock: ctx.clock,
      });
      const relay = new FirstAttemptRelay({
        deliveries: claims,
        attempts,
        logger,
        pollMs,
        halves,
        maxHeld: HELD_PER_HALF * halves.length,
        maxHeldPerTenant: Math.ceil(
          (settings.webhookAttemptsPerApp * halves.length) / BOTH_HALVES.length,
        ),
        ...slots,
      });
      return relay;
    },
    handing: handInRounds(outcomes, refusing, logger),
    activities: createWebhookActivities({
      deliveries,
      attempt: (delivery, stop) => attempts.make(delivery, stop),
      slots,
      shares: new TenantShares(settings.webhookAttemptsPerApp),
      clock: ctx.clock,
      chance,
    }),
    close: () => connections.close(),
  };
}

/** Each round visits the endpoints after those of the round before. */
function handInRounds(
  outcomes: WebhookOutcomeRepository,
  refusing: RefusingEndpoints,
  logger: Logger,
): PollLoop {
  let afterEndpoint = '';
  let round = 0;
  return new PollLoop({
    work: async () => {
      const { lastEndpoint } = await outcomes.handToWorkflows({
        ...HANDED,
        refusing: refusing.all,
        overfull: round++ % ROUNDS_OF_OVERFULL === 0,
        afterEndpoint,
      });
      afterEndpoint = lastEndpoint ?? '';
      return false;
    },
    pollMs: HANDING_EVERY_MS,
    onError: (err) => logger.warn({ err }, 'webhook.handing_failed'),
  });
}
