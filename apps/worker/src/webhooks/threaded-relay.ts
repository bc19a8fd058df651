import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EndpointNews } from './refusing-endpoints.js';

export type ToRelayThread = { kind: 'wake' } | { kind: 'stop'; graceMs: number };
export type FromRelayThread = { kind: 'answered'; news: EndpointNews };

export interface ThreadedRelayOptions {
  /** What the thread runs. */
  entry?: URL;
  /** Of every refusal, and when an endpoint accepts again. */
  onAnswered: (news: EndpointNews) => void;
}

const RELAY = new URL('./relay-thread.js', import.meta.url);
/** Attempts under way live for some milliseconds: room for those of so long is cheaper than looking through them again and again. Measured: docs/performance.md. */
const YOUNG_GENERATION_MB = 96;

/**
 * The relay of first attempts in a thread of its own: a burst of webhooks and the activities of workflows do not wait for
 * each other, and promises there are not followed for Temporal's context. See docs/decisions/0016-a-thread-for-first-attempts.md.
 */
export class ThreadedRelay {
  /** Rejects when the thread cannot go on; settles in no other way. */
  readonly failed: Promise<never>;
  private fail: (error: unknown) => void = () => undefined;
  private thread: Worker | undefined;

  constructor(private readonly options: ThreadedRelayOptions) {
    this.failed = new Promise((_resolve, reject) => (this.fail = reject));
    // Whoever runs the relay waits for it; before that nobody does.
    this.failed.catch(() => undefined);
  }

  start(): void {
    const thread = new Worker(this.options.entry ?? RELAY, { name: 'webhooks', resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
    this.thread = thread;
    thread.on('message', ({ news }: FromRelayThread) => this.options.onAnswered(news));
    thread.once('error', (error) => this.fail(error));
    thread.once('exit', () => {
      if (this.thread !== thread) return;
      this.thread = undefined;
      this.fail(new Error('the thread of first attempts has ended'));
    });
  }

  /** For the notification `webhook_delivery`. */
  wake(): void {
    this.post({ kind: 'wake' });
  }

  /** Takes no more deliveries, gives those under way `graceMs`, then breaks them off: they will be made again. */
  async stop(graceMs: number): Promise<void> {
    const { thread } = this;
    if (thread === undefined) return;
    this.thread = undefined;
    const ended = once(thread, 'exit');
    thread.postMessage({ kind: 'stop', graceMs } satisfies ToRelayThread);
    await ended;
  }

  private post(message: ToRelayThread): void {
    this.thread?.postMessage(message);
  }
}
