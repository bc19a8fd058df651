import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { AttemptInterrupted } from '../../../domain/webhooks/attempt-interrupted.js';
import { TenantShares } from '../../../domain/webhooks/tenant-shares.js';
import { runTraced } from '../../../prisma/base/database/work-origin.js';
import type { DueDelivery } from '../../../prisma/announcements/webhooks/due-delivery.js';
import type {
  SlotOptions,
  WebhookClaimRepository,
} from '../../../prisma/announcements/webhooks/webhook-claim.repository.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import { PollLoop } from '../../platform/src/process/poll-loop.js';
import type { WebhookAttempts } from './sending/webhook-attempts.js';

export interface RelayOptions {
  claims: Pick<WebhookClaimRepository, 'claimFirstAttempts' | 'release'>;
  attempts: Pick<WebhookAttempts, 'make'>;
  /** Called after a failed attempt that will be followed by another. */
  onFailed: () => void;
  logger: Logger;
  slots: SlotOptions;
  maxInFlight: number;
  maxInFlightPerApp: number;
  maxWaitingRetries: number;
  pollMs?: number | undefined;
}

/** Replays of a range become due several times a second, and nothing announces them. */
const POLL_MS = 250;
/** A claim costs little more for many deliveries than for one: after a few, the next ones are gathered. */
const FEW = 32;
const GATHER_MS = 5;

/** Makes the first attempt of every delivery. Later ones belong to the workflow that a failure starts. */
export class Relay {
  private readonly loop: PollLoop;
  private readonly shares: TenantShares;
  private readonly inFlight = new Set<Promise<void>>();
  private readonly interrupt = new AbortController();
  private afterEndpoint = '';

  constructor(private readonly options: RelayOptions) {
    // Every attempt in flight adds a listener.
    setMaxListeners(0, this.interrupt.signal);
    this.shares = new TenantShares(options.maxInFlightPerApp);
    this.loop = new PollLoop({
      work: () => this.claimAndStart(),
      pollMs: options.pollMs ?? POLL_MS,
      onError: (err) => options.logger.warn({ err }, 'webhook.claim_failed'),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** For the notification `webhook_delivery`. */
  wake(): void {
    this.loop.wake();
  }

  /** Claims no more, lets attempts in flight finish for `graceMs`, then interrupts them: they will be made again. */
  async stop(graceMs: number): Promise<void> {
    await this.loop.stop();
    const timer = setTimeout(() => this.interrupt.abort(), graceMs);
    await Promise.all(this.inFlight);
    clearTimeout(timer);
  }

  private async claimAndStart(): Promise<boolean> {
    const { claims, slots, maxInFlight, maxWaitingRetries } = this.options;
    const limit = maxInFlight - this.inFlight.size;
    if (limit <= 0) return false;
    const { due, lastEndpoint } = await claims.claimFirstAttempts({
      ...slots,
      limit,
      shares: this.shares,
      maxWaitingRetries,
      afterEndpoint: this.afterEndpoint,
    });
    // webhooks 8.3: attempts start in the order of the events.
    for (const delivery of due) this.begin(delivery);
    this.afterEndpoint = lastEndpoint ?? '';
    if (due.length < FEW) await pause(GATHER_MS);
    return lastEndpoint !== null || due.length === limit;
  }

  private begin(delivery: DueDelivery): void {
    this.shares.add(delivery);
    const attempt = runTraced(delivery.traceId, () => this.make(delivery)).finally(() => {
      this.inFlight.delete(attempt);
      this.shares.remove(delivery);
      this.wake();
    });
    this.inFlight.add(attempt);
  }

  private async make(delivery: DueDelivery): Promise<void> {
    const { attempts, onFailed } = this.options;
    try {
      const { verdict } = await attempts.make(delivery, this.interrupt.signal);
      if (verdict.status === 'pending') onFailed();
    } catch (error) {
      await this.withoutOutcome(delivery, error);
    }
  }

  /** The attempt is made again: immediately after an interruption, else when its lease ends. */
  private async withoutOutcome(delivery: DueDelivery, error: unknown): Promise<void> {
    const { logger, claims } = this.options;
    const { pk, deliveryId: delivery_id, attempt } = delivery;
    if (!(error instanceof AttemptInterrupted)) {
      logger.error({ delivery_id, attempt, err: error }, 'webhook.attempt_without_outcome');
      return;
    }
    logger.info({ delivery_id, attempt }, 'webhook.interrupted');
    await claims
      .release([pk])
      .catch((err: unknown) => logger.warn({ deliveries: 1, err }, 'webhook.release_failed'));
  }
}
