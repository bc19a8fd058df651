import { wholeShare } from '../../../../domain/limits/pair-share.js';
import type { RateLimit } from '../config/setting-parsers.js';

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** A bucket as callers see it, in whole calls and seconds. */
export interface Pace {
  /** The calls of a full bucket. */
  quota: number;
  /** The time in which an empty bucket fills. */
  windowSeconds: number;
  /** The calls that are granted now. */
  remaining: number;
  /** The time until the bucket is full, if no call is made. */
  fullAfterSeconds: number;
}

const MAX_KEYS = 10_000;

/**
 * One bucket per key: `burst` calls at once, refilled at `perSecond`. Counts in this process only.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly limit: RateLimit | 'off',
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Takes one call. Returns 0, or the seconds to wait when none is left.
   * @param percent the part of the limit that the bucket of this key has
   */
  take(key: string, percent = 100): number {
    if (this.limit === 'off') return 0;
    const { perSecond, tokens, now } = this.filled(key, percent, this.limit);
    // Re-inserting keeps the keys in order of use, so the first one is evicted.
    this.buckets.delete(key);
    const granted = tokens >= 1;
    this.buckets.set(key, { tokens: granted ? tokens - 1 : tokens, filledAt: now });
    if (this.buckets.size > MAX_KEYS) this.evictOldest();
    return granted ? 0 : (1 - tokens) / perSecond;
  }

  /** Returns a call that was taken but does not count. */
  release(key: string, percent = 100): void {
    const bucket = this.buckets.get(key);
    if (bucket !== undefined && this.limit !== 'off')
      bucket.tokens = Math.min(wholeShare(this.limit.burst, percent), bucket.tokens + 1);
  }

  /** The bucket of a key, of which nothing is taken; null = without a limit. */
  paceOf(key: string, percent = 100): Pace | null {
    if (this.limit === 'off') return null;
    const { perSecond, burst, tokens } = this.filled(key, percent, this.limit);
    return {
      quota: burst,
      windowSeconds: Math.max(1, Math.ceil(burst / perSecond)),
      remaining: Math.floor(tokens),
      fullAfterSeconds: Math.ceil((burst - tokens) / perSecond),
    };
  }

  private filled(key: string, percent: number, limit: RateLimit) {
    const perSecond = (limit.perSecond * percent) / 100;
    const burst = wholeShare(limit.burst, percent);
    const now = this.now();
    const known = this.buckets.get(key);
    const tokens =
      known === undefined
        ? burst
        : Math.min(burst, known.tokens + ((now - known.filledAt) / 1000) * perSecond);
    return { perSecond, burst, tokens, now };
  }

  private evictOldest(): void {
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
