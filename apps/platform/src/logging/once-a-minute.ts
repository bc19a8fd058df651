const MINUTE_MS = 60_000;
/** Causes are few; a text that varies must not fill the memory. */
const MAX_REMEMBERED = 500;

/** Lets each key through at most once a minute, so that a lasting fault writes one line a minute, not one per request. */
export class OnceAMinute {
  private readonly passedAt = new Map<string, number>();

  constructor(private readonly now: () => number = Date.now) {}

  lets(key: string): boolean {
    const now = this.now();
    const passedAt = this.passedAt.get(key);
    if (passedAt !== undefined && now - passedAt < MINUTE_MS) return false;
    if (this.passedAt.size >= MAX_REMEMBERED) this.passedAt.clear();
    this.passedAt.set(key, now);
    return true;
  }
}
