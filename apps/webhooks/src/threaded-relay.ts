import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { BOTH_HALVES, type EndpointHalf } from '../../../prisma/events/webhook-slots.js';
import type { EndpointNews } from './refusing-endpoints.js';

/** What a thread begins with. */
export interface RelayThreadData {
  /** Endpoints it works for. */
  halves: readonly EndpointHalf[];
}
/** It is to stop. */
export interface ToRelayThread {
  graceMs: number;
}
export type FromRelayThread = { kind: 'answered'; news: EndpointNews };

export interface ThreadedRelayOptions {
  /** What each thread runs. */
  entry?: URL;
  /** The endpoints of each thread. */
  threads?: readonly (readonly EndpointHalf[])[];
  /** Of every refusal, and when an endpoint accepts again. */
  onAnswered: (news: EndpointNews) => void;
}

interface RelayThread extends RelayThreadData {
  thread: Worker;
}

const RELAY = new URL('./relay-thread.js', import.meta.url);
/** Attempts under way live for some milliseconds: room for those of so long is cheaper than looking through them again and again. Measured: docs/performance.md. */
const YOUNG_GENERATION_MB = 48;

/**
 * The relay of first attempts in threads of its own, each for a part of the endpoints: a burst of webhooks and the
 * activities of workflows do not wait for each other, and promises there are not followed for Temporal's context. See
 * docs/decisions/0016-threads-for-first-attempts.md.
 */
export class ThreadedRelay {
  /** Rejects when a thread cannot go on; settles in no other way. */
  readonly failed: Promise<never>;
  private fail: (error: unknown) => void = () => undefined;
  private threads: readonly RelayThread[] = [];

  constructor(private readonly options: ThreadedRelayOptions) {
    this.failed = new Promise((_resolve, reject) => (this.fail = reject));
    // Whoever runs the relay waits for it; before that nobody does.
    this.failed.catch(() => undefined);
  }

  start(): void {
    this.threads = (this.options.threads ?? forTheseCores()).map((halves) => ({
      halves,
      thread: this.startThread({ halves }),
    }));
  }

  /** Takes no more deliveries, gives those under way `graceMs`, then breaks them off: they will be made again. */
  async stop(graceMs: number): Promise<void> {
    const { threads } = this;
    this.threads = [];
    await Promise.all(
      threads.map(async ({ thread }) => {
        const ended = once(thread, 'exit');
        thread.postMessage({ graceMs } satisfies ToRelayThread);
        await ended;
      }),
    );
  }

  private startThread(data: RelayThreadData): Worker {
    const thread = new Worker(this.options.entry ?? RELAY, {
      name: `webhooks ${data.halves.join('+')}`,
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    thread.on('message', ({ news }: FromRelayThread) => this.options.onAnswered(news));
    thread.once('error', (error) => this.fail(error));
    thread.once('exit', () => {
      const others = this.threads.filter((other) => other.thread !== thread);
      if (others.length === this.threads.length) return;
      this.threads = others;
      this.fail(new Error('a thread of first attempts has ended'));
    });
    return thread;
  }
}

/** On a single core two threads would only take turns. */
function forTheseCores(): readonly (readonly EndpointHalf[])[] {
  return availableParallelism() > 1 ? BOTH_HALVES.map((half) => [half]) : [BOTH_HALVES];
}
