import type { TokenRecord } from '../../../../prisma/repositories/access-token.repository.js';

interface Entry {
  found: Promise<TokenRecord | null>;
  until: number;
}

/**
 * Remembers what a token stands for, for a moment: a disabled client must end at once (native-api 3.1), so the time is
 * the longest a disabling may take to be seen. Keys are hashes; unknown tokens are not remembered.
 */
export class TokenCache {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly lifetimeMs: number, private readonly most: number, private readonly now: () => number = () => performance.now()) {}

  /** Concurrent look-ups of one token are one. */
  get(key: string, find: () => Promise<TokenRecord | null>): Promise<TokenRecord | null> {
    const known = this.entries.get(key);
    if (known !== undefined && known.until > this.now()) return known.found;
    const entry: Entry = { found: find(), until: this.now() + this.lifetimeMs };
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (this.entries.size > this.most) this.forgetOldest();
    entry.found.then((record) => { if (record === null) this.forget(key, entry); }, () => this.forget(key, entry));
    return entry.found;
  }

  private forget(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }

  private forgetOldest(): void {
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
