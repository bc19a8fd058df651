import { setTimeout as pause } from 'node:timers/promises';
import type { RetryStartRepository } from '../../../prisma/announcements/webhooks/retry-start.repository.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import { PollLoop } from '../../platform/src/process/poll-loop.js';

export interface RetryStarterOptions {
  retries: Pick<RetryStartRepository, 'start'>;
  /** Starts in any second, of this process and per endpoint. */
  perSecond: { process: number; endpoint: number };
  logger: Logger;
  pollMs?: number;
}

const WINDOW_MS = 1_000;
/** While starts count toward a limit, deliveries may wait for their turn. */
const LOOK_AGAIN_MS = 100;

/**
 * Starts the retry workflows of failed deliveries, the earliest due first. The limits keep one failing endpoint from
 * occupying Temporal: linking needs it, too.
 */
export class RetryStarter {
  private readonly loop: PollLoop;
  private recent: { endpoint: string; at: number }[] = [];

  constructor(private readonly options: RetryStarterOptions) {
    this.loop = new PollLoop({
      work: () => this.startDue(),
      pollMs: options.pollMs ?? 1_000,
      onError: (err) => options.logger.warn({ err }, 'webhook.handing_failed'),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** A delivery has failed. */
  wake(): void {
    this.loop.wake();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }

  private async startDue(): Promise<boolean> {
    const { retries, perSecond } = this.options;
    const since = performance.now() - WINDOW_MS;
    this.recent = this.recent.filter(({ at }) => at > since);
    const limit = perSecond.process - this.recent.length;
    if (limit > 0) {
      const recent: Record<string, number> = {};
      for (const { endpoint } of this.recent) recent[endpoint] = (recent[endpoint] ?? 0) + 1;
      const started = await retries.start({ limit, perEndpoint: perSecond.endpoint, recent });
      const at = performance.now();
      this.recent.push(...started.map((endpoint) => ({ endpoint, at })));
    }
    if (this.recent.length === 0) return false;
    await pause(LOOK_AGAIN_MS);
    return true;
  }
}
