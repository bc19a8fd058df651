interface Turns {
  running: number;
  waiting: Waiting[];
}

interface Waiting {
  start: () => void;
  timer: NodeJS.Timeout;
}

export interface OwnerTurnsOptions {
  /** So many of an owner run at once. */
  perOwner: number;
  /** So many more of an owner may wait, each so long. */
  maxWaiting: number;
  waitMs: number;
}

/** Runs a bounded number of things at once for each owner; the others of the owner wait, first come, first served. */
export class OwnerTurns {
  private readonly owners = new Map<string, Turns>();

  constructor(private readonly options: OwnerTurnsOptions) {}

  /** Calls one of the two once: `start`, after which `end` must be called, or `refuse` when that would take too long. */
  begin(owner: string, start: () => void, refuse: () => void): void {
    const turns = this.turnsOf(owner);
    if (turns.running < this.options.perOwner) {
      turns.running += 1;
      start();
    } else if (turns.waiting.length < this.options.maxWaiting) {
      const timer = setTimeout(() => {
        turns.waiting.splice(turns.waiting.indexOf(waiting), 1);
        refuse();
      }, this.options.waitMs);
      const waiting: Waiting = { start, timer };
      turns.waiting.push(waiting);
    } else {
      refuse();
    }
  }

  end(owner: string): void {
    const turns = this.turnsOf(owner);
    const next = turns.waiting.shift();
    if (next !== undefined) {
      clearTimeout(next.timer);
      next.start();
      return;
    }
    turns.running -= 1;
    if (turns.running === 0) this.owners.delete(owner);
  }

  private turnsOf(owner: string): Turns {
    let turns = this.owners.get(owner);
    if (turns === undefined) {
      turns = { running: 0, waiting: [] };
      this.owners.set(owner, turns);
    }
    return turns;
  }
}
