import { setTimeout as pause } from 'node:timers/promises';
import type { DueDelivery, WebhookDeliveryRepository } from '../../../../prisma/repositories/webhook-delivery.repository.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { PollLoop } from '../outbox/poll-loop.js';
import type { WebhookAttempts } from './webhook-attempts.js';
import { AttemptInterrupted, type SignedAttempt } from './webhook-sender.js';

export interface FirstAttemptRelayOptions {
  deliveries: Pick<WebhookDeliveryRepository, 'claimFirstAttempts' | 'release'>;
  attempts: Pick<WebhookAttempts, 'sign' | 'make'>;
  logger: Logger;
  perEndpoint: number;
  leaseMs: number;
  /** Attempts this process makes at a time, over all endpoints. */
  maxInFlight?: number;
  pollMs?: number;
}

const GATHER_MS = 10;

/** Makes the first attempt of every delivery. Later ones belong to the workflow that a failure starts. */
export class FirstAttemptRelay {
  private readonly loop: PollLoop;
  private readonly maxInFlight: number;
  private readonly inFlight = new Set<Promise<void>>();
  private readonly interrupt = new AbortController();

  constructor(private readonly options: FirstAttemptRelayOptions) {
    this.maxInFlight = options.maxInFlight ?? 256;
    this.loop = new PollLoop({
      work: () => this.claimAndStart(),
      pollMs: options.pollMs ?? 1_000,
      onError: (error) => options.logger.warn({ err: error }, 'webhook.claim_failed'),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** For the notification `webhook_delivery`. */
  wake(): void {
    this.loop.wake();
  }

  /** Takes no more deliveries, gives those under way `graceMs`, then breaks them off: they will be made again. */
  async stop(graceMs: number): Promise<void> {
    await this.loop.stop();
    const timer = setTimeout(() => this.interrupt.abort(), graceMs);
    await Promise.all(this.inFlight);
    clearTimeout(timer);
  }

  private async claimAndStart(): Promise<boolean> {
    const room = this.maxInFlight - this.inFlight.size;
    if (room <= 0) return false;
    const { perEndpoint, leaseMs } = this.options;
    const due = await this.options.deliveries.claimFirstAttempts({ limit: room, perEndpoint, leaseMs });
    // Signing runs side by side; webhooks 8.3: the attempts start in the order of the events.
    const signing = due.map((delivery) => ({ delivery, signed: this.options.attempts.sign(delivery) }));
    signing.forEach(({ signed }) => signed.catch(() => undefined));
    for (const { delivery, signed } of signing) {
      const ready = await signed.catch((error: unknown) => this.giveBack(delivery, error));
      if (ready !== undefined) this.begin(delivery, ready);
    }
    // Attempts end one by one; claiming for several of them at once costs far less.
    if (this.inFlight.size > 0) await pause(GATHER_MS);
    return due.length > 0;
  }

  private begin(delivery: DueDelivery, signed: SignedAttempt): void {
    const attempt = this.options.attempts
      .make(delivery, signed, this.interrupt.signal)
      .then(() => undefined, (error: unknown) => this.giveBack(delivery, error))
      .finally(() => {
        this.inFlight.delete(attempt);
        // Its slot is free now.
        this.loop.wake();
      });
    this.inFlight.add(attempt);
  }

  /** Without an outcome the attempt is made again: at once when it was broken off, else when its lease is over. */
  private async giveBack(delivery: DueDelivery, error: unknown): Promise<undefined> {
    const { deliveries, logger } = this.options;
    if (!(error instanceof AttemptInterrupted)) {
      logger.error({ delivery_id: delivery.deliveryId, attempt: delivery.attempt, err: error }, 'webhook.attempt_without_outcome');
      return;
    }
    logger.info({ delivery_id: delivery.deliveryId, attempt: delivery.attempt }, 'webhook.interrupted');
    await deliveries.release([delivery.pk]).catch((failure: unknown) => {
      logger.warn({ delivery_id: delivery.deliveryId, err: failure }, 'webhook.release_failed');
    });
  }
}
