import type { FirstAttemptClaim } from '../../../../prisma/repositories/webhook-delivery.repository.js';

export type ClaimedDelivery = FirstAttemptClaim['due'][number];

export interface EndpointLanesOptions {
  /** Makes one attempt; says when its request is over and whether it was accepted, settles when its outcome is written, and never rejects. */
  make: (delivery: ClaimedDelivery, answered: (accepted: boolean) => void) => Promise<void>;
  /** Milliseconds, rising. */
  now: () => number;
}

/** An endpoint is quick while it accepts within that time; only of such ones more is claimed than is made at a time. */
const QUICK_MS = 250;
/** What waits longer for its slot goes back: the endpoint has become slow. */
const PATIENCE_MS = 1_000;
/** Endpoints remembered as quick though nothing goes there now. */
const REMEMBERED = 1_000;

interface Lane {
  slots: number;
  running: number;
  queue: { delivery: ClaimedDelivery; since: number }[];
  quick: boolean;
}

/** What this process has claimed, endpoint by endpoint: made in the order of the claim, so many at a time as the claim allowed. */
export class EndpointLanes {
  private readonly lanes = new Map<string, Lane>();
  private held = 0;

  constructor(private readonly options: EndpointLanesOptions) {}

  /** Deliveries under way or waiting for their slot. */
  get size(): number {
    return this.held;
  }

  get quick(): string[] {
    return [...this.lanes].flatMap(([endpoint, { quick }]) => (quick ? [endpoint] : []));
  }

  /** Begins what there are slots for. */
  add(deliveries: readonly ClaimedDelivery[]): void {
    const since = this.options.now();
    for (const delivery of deliveries) {
      const lane = this.laneOf(delivery.endpoint);
      lane.slots = delivery.slots;
      lane.queue.push({ delivery, since });
      this.held += 1;
    }
    for (const endpoint of new Set(deliveries.map((delivery) => delivery.endpoint))) this.advance(this.laneOf(endpoint));
  }

  /** Takes out what has waited too long, or everything that has not begun. */
  takeBack(everything = false): ClaimedDelivery[] {
    const before = this.options.now() - PATIENCE_MS;
    const taken: ClaimedDelivery[] = [];
    for (const lane of this.lanes.values()) {
      const [first] = lane.queue;
      if (first === undefined || (!everything && first.since > before)) continue;
      lane.quick = false;
      taken.push(...lane.queue.splice(0).map(({ delivery }) => delivery));
    }
    this.held -= taken.length;
    return taken;
  }

  private laneOf(endpoint: string): Lane {
    let lane = this.lanes.get(endpoint);
    if (lane === undefined) {
      this.forgetIdle();
      lane = { slots: 0, running: 0, queue: [], quick: false };
      this.lanes.set(endpoint, lane);
    }
    return lane;
  }

  private advance(lane: Lane): void {
    while (lane.running < lane.slots) {
      const next = lane.queue.shift();
      if (next === undefined) return;
      lane.running += 1;
      void this.run(lane, next.delivery);
    }
  }

  private async run(lane: Lane, delivery: ClaimedDelivery): Promise<void> {
    const begun = this.options.now();
    let isOver = false;
    const over = (accepted: boolean): void => {
      if (isOver) return;
      isOver = true;
      // One that refuses at once is quick in nothing: each of its failures costs a workflow.
      lane.quick = accepted && this.options.now() - begun <= QUICK_MS;
      lane.running -= 1;
      this.advance(lane);
    };
    await this.options.make(delivery, over);
    this.held -= 1;
    over(false);
  }

  private forgetIdle(): void {
    if (this.lanes.size < REMEMBERED) return;
    for (const [endpoint, { running, queue }] of this.lanes) if (running === 0 && queue.length === 0) this.lanes.delete(endpoint);
  }
}
