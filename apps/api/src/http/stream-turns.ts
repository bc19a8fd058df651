import { Global, Module } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import {
  OwnerTurns,
  type OwnerTurnsOptions,
} from '../../../../prisma/base/database/owner-turns.js';
import { OwnerBusy } from '../../../../prisma/base/database/shared-pool.js';

const OF_AN_APP = { maxWaiting: 100, waitMs: 5_000, refusal: busy };

/** Streams, and large reads, of one owner that this process writes at once. Source: native-api 3.7, 3.11, 8. */
const KINDS = {
  export: { ...OF_AN_APP, perOwner: 2 },
  simplefin: { ...OF_AN_APP, perOwner: 2 },
  read: { ...OF_AN_APP, perOwner: 1 },
  // Of a key pair with a share of its own, which leaves room for the others of its app. It waits as long as for a connection.
  'export of a pair': {
    perOwner: 1,
    maxWaiting: 10,
    waitMs: 4_000,
    refusal: () => new OwnerBusy(),
  },
} satisfies Record<string, OwnerTurnsOptions & { refusal: () => Error }>;
export type StreamKind = keyof typeof KINDS;

const LOOK_EVERY_MS = 1_000;
/** While another one waits, a reader is ended that left one fragment unread for this long. */
const STALLED_MS = 5_000;
const MAX_MS = 3_600_000;
const RETRY_AFTER_SECONDS = 5;

export class StreamTooSlow extends Error {
  override readonly name = 'StreamTooSlow';
}

/** A stream in progress: the time of its start, and that at which its reader got the last fragment. */
interface Running {
  startedAt: number;
  handedAt: number | null;
  readonly end: AbortController;
}

/** A stream as its writer sees it: `signal` aborts when it must end. */
export interface StreamTurn {
  signal: AbortSignal;
  /** Passes fragments on, and notices how fast they are taken. @throws StreamTooSlow after an hour */
  follow(fragments: AsyncIterable<string>): AsyncGenerator<string>;
}

/**
 * Streams last as long as their readers like, and hold a page of rows each. They belong to their app: a further one
 * of the same app waits for a turn, and ends one whose reader stalls; those of other apps notice nothing.
 */
export class StreamTurns {
  private readonly running = new Map<string, Set<Running>>();
  private readonly turns = Object.fromEntries(
    Object.entries(KINDS).map(([kind, options]) => [kind, new OwnerTurns(options)]),
  ) as Record<StreamKind, OwnerTurns>;

  /** @param elapsed a clock in milliseconds that never goes back */
  constructor(private readonly elapsed: () => number = () => performance.now()) {}

  /** @throws ApiError `api_error.unavailable`, or OwnerBusy for a key pair, when no turn is free in time */
  async during<T>(
    kind: StreamKind,
    owner: string,
    work: (turn: StreamTurn) => Promise<T>,
  ): Promise<T> {
    const key = `${kind} ${owner}`;
    await this.begin(kind, key);
    const running: Running = {
      startedAt: this.elapsed(),
      handedAt: null,
      end: new AbortController(),
    };
    const its = this.running.get(key) ?? new Set();
    this.running.set(key, its.add(running));
    try {
      return await work({
        signal: running.end.signal,
        follow: (fragments) => this.follow(running, fragments),
      });
    } finally {
      its.delete(running);
      if (its.size === 0) this.running.delete(key);
      this.turns[kind].end(key);
    }
  }

  private begin(kind: StreamKind, key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const looking = setInterval(() => this.endStalled(key), LOOK_EVERY_MS);
      this.turns[kind].begin(
        key,
        () => {
          clearInterval(looking);
          resolve();
        },
        () => {
          clearInterval(looking);
          reject(KINDS[kind].refusal());
        },
      );
      if ((this.running.get(key)?.size ?? 0) >= KINDS[kind].perOwner) this.endStalled(key);
    });
  }

  /** Ends the stream whose reader stalls for longest, if it is too long. */
  private endStalled(key: string): void {
    const waiting = [...(this.running.get(key) ?? [])].filter(({ end }) => !end.signal.aborted);
    const since = Math.min(...waiting.map(({ handedAt }) => handedAt ?? Infinity));
    if (this.elapsed() - since < STALLED_MS) return;
    waiting
      .find(({ handedAt }) => handedAt === since)
      ?.end.abort(new StreamTooSlow('another stream of the app waits'));
  }

  private async *follow(
    running: Running,
    fragments: AsyncIterable<string>,
  ): AsyncGenerator<string> {
    for await (const fragment of fragments) {
      running.handedAt = this.elapsed();
      yield fragment;
      running.handedAt = null;
      if (this.elapsed() - running.startedAt > MAX_MS)
        throw new StreamTooSlow('the reader took longer than an hour');
    }
  }
}

function busy(): ApiError {
  return new ApiError('api_error.unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: 'Streams of the app have used up its turns',
  });
}

/** Global, because all APIs of the process share the turns. */
@Global()
@Module({
  providers: [{ provide: StreamTurns, useFactory: () => new StreamTurns() }],
  exports: [StreamTurns],
})
export class StreamTurnsModule {}
