interface Turns {
  running: number;
  /** First come, first served, so the first entry times out first. */
  waiting: Waiting[];
  /** Runs while entries wait: a timer per entry would cost more than many statements. */
  timer: NodeJS.Timeout | undefined;
}

interface Waiting {
  start: () => void;
  refuse: () => void;
  since: number;
}

export interface OwnerTurnsOptions {
  /** The number of turns of one owner that run at once. */
  perOwner: number;
  /** The number of further turns that may wait, and their time limit. */
  maxWaiting: number;
  waitMs: number;
}

/**
 * Runs a bounded number of turns per owner at once; further turns of the same owner wait, first
 * come, first served.
 */
export class OwnerTurns {
  private readonly owners = new Map<string, Turns>();

  constructor(private readonly options: OwnerTurnsOptions) {}

  /**
   * Calls exactly one of the two, once: `start`, after which `end` must be called, or `refuse` when
   * the wait would be too long.
   */
  begin(owner: string, start: () => void, refuse: () => void): void {
    const { perOwner, maxWaiting, waitMs } = this.options;
    const turns = this.turnsOf(owner);
    if (turns.running < perOwner) {
      turns.running += 1;
      start();
    } else if (turns.waiting.length < maxWaiting) {
      turns.waiting.push({ start, refuse, since: performance.now() });
      turns.timer ??= setTimeout(() => this.refuseLate(turns), waitMs);
    } else {
      refuse();
    }
  }

  end(owner: string): void {
    const turns = this.turnsOf(owner);
    const next = turns.waiting.shift();
    if (next !== undefined) {
      next.start();
      return;
    }
    turns.running -= 1;
    if (turns.running > 0) return;
    clearTimeout(turns.timer);
    this.owners.delete(owner);
  }

  private refuseLate(turns: Turns): void {
    const { waitMs } = this.options;
    const now = performance.now();
    const inTime = turns.waiting.findIndex(({ since }) => since + waitMs > now);
    const late = turns.waiting.splice(0, inTime === -1 ? turns.waiting.length : inTime);
    const [first] = turns.waiting;
    turns.timer =
      first === undefined
        ? undefined
        : setTimeout(() => this.refuseLate(turns), first.since + waitMs - now);
    for (const { refuse } of late) refuse();
  }

  private turnsOf(owner: string): Turns {
    let turns = this.owners.get(owner);
    if (turns === undefined) {
      turns = { running: 0, waiting: [], timer: undefined };
      this.owners.set(owner, turns);
    }
    return turns;
  }
}
