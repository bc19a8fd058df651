import { ApplicationFailure, Context, sleep } from '@temporalio/activity';
import { AttemptInterrupted } from '../../domain/webhooks/attempt-interrupted.js';
import type { AttemptOutcome, AttemptVerdict } from '../../domain/webhooks/judge-attempt.js';
import type { TenantShares } from '../../domain/webhooks/tenant-shares.js';
import type { DueDelivery } from '../../prisma/announcements/webhooks/due-delivery.js';
import type {
  AttemptClaim,
  SlotOptions,
  WebhookClaimRepository,
} from '../../prisma/announcements/webhooks/webhook-claim.repository.js';
import type {
  DeliveryStatus,
  WebhookDeliveryRepository,
} from '../../prisma/announcements/webhooks/webhook-delivery.repository.js';

export interface WebhookActivityDependencies {
  claims: Pick<WebhookClaimRepository, 'claimAttempt' | 'release'>;
  deliveries: Pick<WebhookDeliveryRepository, 'stop'>;
  /**
   * Signs, posts, judges and records. Rejects with AttemptInterrupted when `stop` fires before
   * there is an outcome.
   */
  attempt: (
    delivery: DueDelivery,
    stop: AbortSignal,
  ) => Promise<{ answer: AttemptOutcome; verdict: AttemptVerdict }>;
  slots: SlotOptions;
  /**
   * Attempts in flight in this process, so that those of one app do not occupy every slot of the
   * queue.
   */
  shares: TenantShares;
  clock: () => Date;
  /** A number in [0, 1). */
  chance: () => number;
}

/** The final state of a delivery. */
export interface DeliveryEnd {
  status: Exclude<DeliveryStatus, 'pending'>;
  /** The total number of attempts, including the first. */
  attempts: number;
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/**
 * An attempt checks for a free slot this often, then retries within 1–5 s. That does not count as
 * an attempt.
 */
const NO_SLOT = { looks: 6, waitMs: 300, minMs: 1_000, maxMs: 5_000 };
const AT_ONCE_MS = 1;

export function createWebhookActivities({
  claims,
  deliveries,
  attempt,
  slots,
  shares,
  clock,
  chance,
}: WebhookActivityDependencies) {
  /**
   * Makes the next attempt when it is due and a slot is free; otherwise fails with the delay until
   * it should run again.
   */
  async function attemptDelivery({ deliveryId }: { deliveryId: string }): Promise<DeliveryEnd> {
    const claim = await claimAttempt(deliveryId);
    switch (claim.kind) {
      case 'done':
        return { status: claim.status, attempts: claim.attempts };
      case 'notDue':
        throw retryLater(
          'NotDue',
          'the next attempt is not due yet',
          claim.dueAt.getTime() - clock().getTime(),
        );
      case 'noSlot':
        throw noSlot('the receiver has as many attempts in flight as it may');
      case 'unknown':
        throw ApplicationFailure.nonRetryable(
          'the event log no longer has this delivery',
          'NoSuchDelivery',
        );
      case 'due':
        return makeAttemptInShare(claim.delivery);
    }
  }

  async function claimAttempt(deliveryId: string): Promise<AttemptClaim> {
    for (let look = 1; look < NO_SLOT.looks; look += 1) {
      const claim = await claims.claimAttempt(deliveryId, slots);
      if (claim.kind !== 'noSlot') return claim;
      await sleep(NO_SLOT.waitMs);
    }
    return claims.claimAttempt(deliveryId, slots);
  }

  async function makeAttemptInShare(delivery: DueDelivery): Promise<DeliveryEnd> {
    if (shares.isFull(delivery)) {
      await claims.release([delivery.pk]);
      throw noSlot('the app has as many attempts in flight as it may');
    }
    shares.add(delivery);
    return makeAttempt(delivery).finally(() => shares.remove(delivery));
  }

  function noSlot(message: string): ApplicationFailure {
    return retryLater(
      'NoSlot',
      message,
      NO_SLOT.minMs + chance() * (NO_SLOT.maxMs - NO_SLOT.minMs),
    );
  }

  async function makeAttempt(delivery: DueDelivery): Promise<DeliveryEnd> {
    try {
      const { answer, verdict } = await attempt(delivery, Context.current().cancellationSignal);
      if (verdict.status !== 'pending')
        return { status: verdict.status, attempts: delivery.attempt };
      const reason = answer.httpStatus === null ? answer.error : `HTTP ${answer.httpStatus}`;
      throw retryLater(
        'AttemptFailed',
        `attempt ${delivery.attempt} failed: ${reason}`,
        verdict.nextAttemptAt.getTime() - clock().getTime(),
      );
    } catch (error) {
      if (!(error instanceof AttemptInterrupted)) throw error;
      await claims.release([delivery.pk]);
      throw retryLater(
        'AttemptInterrupted',
        `attempt ${delivery.attempt} was interrupted and will be made again`,
        AT_ONCE_MS,
      );
    }
  }

  async function stopDelivery({ deliveryId }: { deliveryId: string }): Promise<void> {
    await deliveries.stop(deliveryId);
  }

  return { attemptDelivery, stopDelivery };
}

function retryLater(type: string, message: string, afterMs: number): ApplicationFailure {
  // Zero would select the interval of the retry policy.
  return ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: Math.max(AT_ONCE_MS, Math.ceil(afterMs)),
    category: 'BENIGN',
  });
}
