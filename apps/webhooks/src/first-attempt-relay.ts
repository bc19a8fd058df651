import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { WebhookDeliveryRepository } from '../../../prisma/webhooks/webhook-delivery.repository.js';
import type { EndpointHalf } from '../../../prisma/events/webhook-slots.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import { PollLoop } from '../../platform/src/process/poll-loop.js';
import { Bag } from './bag.js';
import { EndpointLanes, type ClaimedDelivery } from './endpoint-lanes.js';
import { EndpointVisits } from './endpoint-visits.js';
import { gather, MANY } from './gather.js';
import type { WebhookAttempts } from './webhook-attempts.js';
import { AttemptInterrupted } from './webhook-sender.js';

export interface FirstAttemptRelayOptions {
  deliveries: Pick<WebhookDeliveryRepository, 'claimFirstAttempts' | 'release'>;
  attempts: Pick<WebhookAttempts, 'make'>;
  logger: Logger;
  perEndpoint: number;
  leaseMs: number;
  /** Endpoints it works for. */
  halves: readonly EndpointHalf[];
  /** Deliveries it holds at a time, over all endpoints. */
  maxHeld: number;
  /** The same of one app and environment. */
  maxHeldPerTenant: number;
  pollMs?: number | undefined;
}

const POLL_MS = 1_000;
/** Held at most of an endpoint that answers quickly, for each attempt that is made at a time. */
const AHEAD = 8;

/** Makes the first attempt of every delivery. Later ones belong to the workflow that a failure starts. */
export class FirstAttemptRelay {
  private readonly loop: PollLoop;
  private readonly lanes: EndpointLanes;
  private readonly holder = BigInt(randomInt(1, 2 ** 47));
  private readonly interrupt = new AbortController();
  private readonly underWay = new Bag<Promise<void>>();
  private readonly visits: EndpointVisits;
  private afterEndpoint = '';
  private restTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: FirstAttemptRelayOptions) {
    // Every attempt under way listens.
    setMaxListeners(0, this.interrupt.signal);
    this.lanes = new EndpointLanes({
      make: (delivery, answered) => this.make(delivery, answered),
      onRoom: (endpoint) => this.wake(endpoint),
      maxHeld: options.maxHeld,
      maxHeldPerTenant: options.maxHeldPerTenant,
      now: () => performance.now(),
    });
    const pollMs = options.pollMs ?? POLL_MS;
    this.visits = new EndpointVisits({ everywhereEveryMs: pollMs, now: () => performance.now() });
    this.loop = new PollLoop({
      work: () => this.claimAndStart(),
      pollMs,
      onError: (error) => {
        // What was to be visited was not.
        this.visits.tell();
        options.logger.warn({ err: error }, 'webhook.claim_failed');
      },
    });
  }

  start(): void {
    this.loop.start();
  }

  /** For the notifications of its halves (`deliveryChannel`). @param endpoint where there is something to do; without it, anywhere */
  wake(endpoint?: string): void {
    this.visits.tell(endpoint);
    this.loop.wake();
  }

  /** Takes no more deliveries, gives those under way `graceMs`, then breaks them off: they will be made again. */
  async stop(graceMs: number): Promise<void> {
    await this.loop.stop();
    clearTimeout(this.restTimer);
    await this.giveBack(this.lanes.takeBack(true));
    const timer = setTimeout(() => this.interrupt.abort(), graceMs);
    while (this.underWay.size > 0) await Promise.all(this.underWay.items);
    clearTimeout(timer);
  }

  private async claimAndStart(): Promise<boolean> {
    const slow = this.lanes.takeBack();
    if (slow.length > 0) {
      await this.giveBack(slow);
      this.visits.tell();
    }
    const { room: limit, resting } = this.lanes;
    if (limit <= 0) return false;
    const { perEndpoint, leaseMs, deliveries, halves } = this.options;
    const { afterEndpoint, holder } = this;
    const endpoints = this.visits.next(resting.endpoints, afterEndpoint === '');
    if (resting.endpoints.length > 0) this.lookAgainIn(resting.endsInMs);
    if (endpoints?.length === 0) return false;
    // After a pause the first are soon under way, and the many behind them are claimed meanwhile.
    const isFirst = this.lanes.isIdle;
    const ahead = isFirst
      ? perEndpoint
      : Math.max(perEndpoint, Math.min(perEndpoint * AHEAD, this.lanes.fairShare));
    const { due, lastEndpoint } = await deliveries.claimFirstAttempts({
      limit,
      holder,
      perEndpoint,
      leaseMs,
      quick: this.lanes.quick(endpoints),
      ahead,
      shares: this.lanes.shares,
      resting: resting.endpoints,
      afterEndpoint,
      halves,
      endpoints,
    });
    // webhooks 8.3: the attempts start in the order of the events.
    this.lanes.add(due);
    if (endpoints === undefined) this.afterEndpoint = lastEndpoint ?? '';
    const isBacklog = isFirst && due.length >= MANY;
    if (!isBacklog) await gather(due.length);
    // What was held back waits for room, or for the end of a rest; what is new is notified. Endpoints that were not visited
    // have their turn now, those before the first one visited, too.
    const isTurn = endpoints === undefined && (lastEndpoint !== null || afterEndpoint !== '');
    const isMore = isBacklog || isTurn || due.length === limit;
    if (isMore) this.visits.tell();
    return isMore;
  }

  private lookAgainIn(ms: number): void {
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.wake(), ms);
  }

  private make(delivery: ClaimedDelivery, answered: (accepted: boolean) => void): Promise<void> {
    const attempt = this.options.attempts
      .make(delivery, this.interrupt.signal, answered)
      .then(
        () => undefined,
        (error: unknown) => this.withoutOutcome(delivery, error),
      )
      .finally(() => ended());
    const ended = this.underWay.add(attempt);
    return attempt;
  }

  /** The attempt is made again: at once when it was broken off, else when its lease is over. */
  private async withoutOutcome(delivery: ClaimedDelivery, error: unknown): Promise<void> {
    const { logger } = this.options;
    const { deliveryId: delivery_id, attempt } = delivery;
    if (!(error instanceof AttemptInterrupted)) {
      logger.error({ delivery_id, attempt, err: error }, 'webhook.attempt_without_outcome');
      return;
    }
    logger.info({ delivery_id, attempt }, 'webhook.interrupted');
    await this.giveBack([delivery]);
  }

  private async giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.options.deliveries.release(deliveries.map(({ pk }) => pk)).catch((err: unknown) => {
      // They are claimed again when their leases are over.
      this.options.logger.warn({ deliveries: deliveries.length, err }, 'webhook.release_failed');
    });
  }
}
