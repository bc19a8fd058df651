import type { TokenRecord } from '../../../../prisma/tenants/applications/access-token.repository.js';

interface Entry {
  found: Promise<TokenRecord | null>;
  until: number;
}

export interface TokenCacheOptions {
  lifetimeMs: number;
  maxEntries: number;
  now?: () => number;
}

/**
 * Caches token lookups briefly. Disabling a client must take effect immediately (native-api 3.1), so
 * every notification of a changed client clears the cache, and nothing is cached while
 * notifications cannot be received. The lifetime bounds the effect of a lost notification. Keys are
 * hashes; unknown tokens are not cached.
 */
export class TokenCache {
  private readonly entries = new Map<string, Entry>();
  private readonly lifetimeMs: number;
  private readonly maxEntries: number;
  private readonly now: () => number;
  private isCaching = false;

  constructor({ lifetimeMs, maxEntries, now = () => performance.now() }: TokenCacheOptions) {
    this.lifetimeMs = lifetimeMs;
    this.maxEntries = maxEntries;
    this.now = now;
  }

  /** Notifications arrive from now on. */
  resume(): void {
    this.clear();
    this.isCaching = true;
  }

  /** No notifications arrive until `resume`. */
  pause(): void {
    this.isCaching = false;
    this.clear();
  }

  clear(): void {
    this.entries.clear();
  }

  /** Concurrent lookups of one token share one query. */
  get(key: string, find: () => Promise<TokenRecord | null>): Promise<TokenRecord | null> {
    if (!this.isCaching) return find();
    const known = this.entries.get(key);
    if (known !== undefined && known.until > this.now()) return known.found;
    const entry: Entry = { found: find(), until: this.now() + this.lifetimeMs };
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (this.entries.size > this.maxEntries) this.evictOldest();
    entry.found.then(
      (record) => {
        if (record === null) this.forget(key, entry);
      },
      () => this.forget(key, entry),
    );
    return entry.found;
  }

  private forget(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }

  private evictOldest(): void {
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
