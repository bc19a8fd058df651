import type {
  FirstAttemptClaim,
  WebhookDeliveryRepository,
} from '../../../prisma/webhooks/webhook-delivery.repository.js';
import type { WebhookReplayRepository } from '../../../prisma/webhook-log/webhook-replay.repository.js';

type Claims = Pick<WebhookDeliveryRepository, 'claimFirstAttempts' | 'release'>;

export interface ClaimsInPaceOptions {
  deliveries: Claims;
  replays: Pick<WebhookReplayRepository, 'restorePace' | 'nextStartAt'>;
  /** Has the relay claim again. */
  wake: () => void;
  clock: () => Date;
}

/** Longer than a relay with nothing to do waits between two claims. */
const ABSENCE_MS = 3_000;
/** While there is no replay to come, it is looked for one this often: at most five start together. */
const LOOK_AGAIN_MS = 250;

/** Claims of first attempts by a relay that keeps range replays to their pace: at most 20 per second. Source: webhooks 9. */
export class ClaimsInPace implements Claims {
  private claimedAt = Number.NEGATIVE_INFINITY;
  private lookAgainAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ClaimsInPaceOptions) {}

  async claimFirstAttempts(
    options: Parameters<Claims['claimFirstAttempts']>[0],
  ): Promise<FirstAttemptClaim> {
    const { deliveries, replays } = this.options;
    // This process or the database was away: what became overdue meanwhile would go all at once.
    if (this.now() - this.claimedAt > ABSENCE_MS) await replays.restorePace();
    // Nothing that can fail comes after the claim: what is claimed and not told waits for the end of its lease.
    if (this.now() >= this.lookAgainAt) await this.wakeForNext();
    const claim = await deliveries.claimFirstAttempts(options);
    this.claimedAt = this.now();
    return claim;
  }

  release(pks: readonly bigint[]): Promise<void> {
    return this.options.deliveries.release(pks);
  }

  /** Found by the next poll instead, those of a second would start together. */
  private async wakeForNext(): Promise<void> {
    const next = await this.options.replays.nextStartAt();
    clearTimeout(this.timer);
    this.lookAgainAt = next?.getTime() ?? this.now() + LOOK_AGAIN_MS;
    if (next !== null)
      this.timer = setTimeout(
        this.options.wake,
        Math.max(0, this.lookAgainAt - this.now()),
      ).unref();
  }

  private now(): number {
    return this.options.clock().getTime();
  }
}
