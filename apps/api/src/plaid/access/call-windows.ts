const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

/** Counts the calls of the last minute by key, in this process only. */
export class CallWindows {
  /** The times of the granted calls, oldest first. */
  private readonly calls = new Map<string, number[]>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes one call of at most `perMinute`. Returns 0, or the seconds to wait if none is left. */
  take(key: string, perMinute: number): number {
    const now = this.now();
    const recent = (this.calls.get(key) ?? []).filter((at) => at > now - WINDOW_MS);
    const [oldest] = recent;
    const isGranted = recent.length < perMinute;
    if (isGranted) recent.push(now);
    // Re-inserting keeps the keys in order of use, so the first key is the least recently used.
    this.calls.delete(key);
    this.calls.set(key, recent);
    const [leastUsed] = this.calls.keys();
    if (this.calls.size > MAX_KEYS && leastUsed !== undefined) this.calls.delete(leastUsed);
    return isGranted || oldest === undefined ? 0 : (oldest + WINDOW_MS - now) / 1_000;
  }
}
