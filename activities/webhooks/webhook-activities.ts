import { ApplicationFailure, Context } from '@temporalio/activity';
import type { TenantShares } from '../../domain/webhooks/tenant-shares.js';
import type { AttemptOutcome, AttemptVerdict } from '../../domain/webhooks/judge-attempt.js';
import type {
  DeliveryStatus,
  DueDelivery,
  SlotOptions,
  WebhookDeliveryRepository,
} from '../../prisma/webhooks/webhook-delivery.repository.js';

export interface WebhookActivityDependencies {
  deliveries: Pick<WebhookDeliveryRepository, 'claimAttempt' | 'release' | 'stop'>;
  /** Signs, posts, judges and records. Rejects with an error named `AttemptInterrupted` when `stop` fires before there is an outcome. */
  attempt: (
    delivery: DueDelivery,
    stop: AbortSignal,
  ) => Promise<{ answer: AttemptOutcome; verdict: AttemptVerdict; inWorkflow: boolean }>;
  slots: SlotOptions;
  /** Attempts in flight here, so that those of one app do not take every slot of the queue. */
  shares: TenantShares;
  clock: () => Date;
  /** A number in [0, 1). */
  chance: () => number;
}

/** How a delivery ended; `waiting`: it did not, its next attempt is due in a workflow to come. */
export interface DeliveryEnd {
  status: Exclude<DeliveryStatus, 'pending'> | 'waiting';
  /** Attempts made in all, the first included. */
  attempts: number;
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** An attempt that found no free slot comes back within 1–5 s and counts as none. */
const NO_SLOT = { leastMs: 1_000, mostMs: 5_000 };
const AT_ONCE_MS = 1;

export function createWebhookActivities({
  deliveries,
  attempt,
  slots,
  shares,
  clock,
  chance,
}: WebhookActivityDependencies) {
  /** Makes the next attempt when it is due and there is a slot; otherwise fails with the time to come back. */
  async function attemptDelivery({ deliveryId }: { deliveryId: string }): Promise<DeliveryEnd> {
    const claim = await deliveries.claimAttempt(deliveryId, slots);
    switch (claim.kind) {
      case 'done':
        return { status: claim.status, attempts: claim.attempts };
      case 'notDue':
        throw comeBack(
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

  async function makeAttemptInShare(delivery: DueDelivery): Promise<DeliveryEnd> {
    if (shares.isFull(delivery)) {
      await deliveries.release([delivery.pk]);
      throw noSlot('the app has as many attempts in flight as it may');
    }
    shares.add(delivery);
    return makeAttempt(delivery).finally(() => shares.remove(delivery));
  }

  function noSlot(message: string): ApplicationFailure {
    return comeBack(
      'NoSlot',
      message,
      NO_SLOT.leastMs + chance() * (NO_SLOT.mostMs - NO_SLOT.leastMs),
    );
  }

  async function makeAttempt(delivery: DueDelivery): Promise<DeliveryEnd> {
    try {
      const { answer, verdict, inWorkflow } = await attempt(
        delivery,
        Context.current().cancellationSignal,
      );
      if (verdict.status !== 'pending')
        return { status: verdict.status, attempts: delivery.attempt };
      if (!inWorkflow) return { status: 'waiting', attempts: delivery.attempt };
      const reason = answer.httpStatus === null ? answer.error : `HTTP ${answer.httpStatus}`;
      throw comeBack(
        'AttemptFailed',
        `attempt ${delivery.attempt} failed: ${reason}`,
        verdict.nextAttemptAt.getTime() - clock().getTime(),
      );
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AttemptInterrupted') throw error;
      await deliveries.release([delivery.pk]);
      throw comeBack(
        'AttemptInterrupted',
        `attempt ${delivery.attempt} was broken off and will be made again`,
        AT_ONCE_MS,
      );
    }
  }

  async function stopDelivery({ deliveryId }: { deliveryId: string }): Promise<void> {
    await deliveries.stop(deliveryId);
  }

  return { attemptDelivery, stopDelivery };
}

function comeBack(type: string, message: string, afterMs: number): ApplicationFailure {
  // Zero would mean the interval of the retry policy.
  return ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: Math.max(AT_ONCE_MS, Math.ceil(afterMs)),
    category: 'BENIGN',
  });
}
