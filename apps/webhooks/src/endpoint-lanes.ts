import { TenantShares } from '../../../domain/webhooks/tenant-shares.js';
import type { FirstAttemptClaim } from '../../../prisma/webhooks/webhook-delivery.repository.js';

export type ClaimedDelivery = FirstAttemptClaim['due'][number];

export interface EndpointLanesOptions {
  /** Makes one attempt; says when its request is over and whether it was accepted, settles when its outcome is written, and never rejects. */
  make: (delivery: ClaimedDelivery, answered: (accepted: boolean) => void) => Promise<void>;
  /** One has ended where no more could have been claimed: at this endpoint, or anywhere. */
  onRoom: (endpoint?: string) => void;
  /** Deliveries to hold at a time, over all endpoints. */
  maxHeld: number;
  /** The same of one app and environment. */
  maxHeldPerTenant: number;
  /** Milliseconds, rising. */
  now: () => number;
}

/** An endpoint is quick while it accepts within that time; only of such ones more is claimed than is made at a time. */
const QUICK_MS = 250;
/** What waits longer for its slot goes back: the endpoint has become slow. */
const PATIENCE_MS = 1_000;
/**
 * After a failure an endpoint is left alone, twice as long each time it fails again: each failure costs a transaction
 * and a workflow, and a backlog of 100,000 must not crowd the others out. One that accepts is a new one.
 */
export const REST_MS = { least: 100, most: 1_000 };
/** Endpoints remembered as quick though nothing goes there now. */
const REMEMBERED = 1_000;

interface Lane {
  slots: number;
  running: number;
  queue: { delivery: ClaimedDelivery; since: number }[];
  /** Claimed, and its outcome not yet written. */
  held: number;
  /** The same after the last claim. */
  heldAfterClaim: number;
  quick: boolean;
  /** How long its last rest was; 0 = it accepted since. */
  restMs: number;
  restsUntil: number;
}

/** What this process has claimed, endpoint by endpoint: made in the order of the claim, so many at a time as the claim allowed. */
export class EndpointLanes {
  private readonly lanes = new Map<string, Lane>();
  readonly shares: TenantShares;
  private held = 0;

  constructor(private readonly options: EndpointLanesOptions) {
    this.shares = new TenantShares(options.maxHeldPerTenant);
  }

  get isIdle(): boolean {
    return this.held === 0;
  }

  /** How many more deliveries may be claimed. */
  get room(): number {
    return this.options.maxHeld - this.held;
  }

  /** What each endpoint may hold when all that hold something hold the same. */
  get fairShare(): number {
    const busy = [...this.lanes.values()].filter(({ held }) => held > 0).length;
    return Math.floor(this.options.maxHeld / Math.max(1, busy));
  }

  /** Those of `endpoints` that answer quickly; without it, of all. */
  quick(endpoints: readonly string[] = [...this.lanes.keys()]): string[] {
    return endpoints.filter((endpoint) => this.lanes.get(endpoint)?.quick);
  }

  /** Endpoints to be left alone now, and in how many milliseconds the first of them is not. */
  get resting(): { endpoints: string[]; endsInMs: number } {
    const now = this.options.now();
    const resting = [...this.lanes].filter(([, { restsUntil }]) => restsUntil > now);
    return {
      endpoints: resting.map(([endpoint]) => endpoint),
      endsInMs: Math.min(...resting.map(([, { restsUntil }]) => restsUntil - now)),
    };
  }

  /** Begins what there are slots for. */
  add(deliveries: readonly ClaimedDelivery[]): void {
    const since = this.options.now();
    for (const delivery of deliveries) {
      const lane = this.laneOf(delivery.endpoint);
      lane.slots = delivery.slots;
      lane.queue.push({ delivery, since });
      lane.held += 1;
      this.held += 1;
      this.shares.add(delivery);
    }
    for (const endpoint of new Set(deliveries.map((delivery) => delivery.endpoint))) {
      const lane = this.laneOf(endpoint);
      lane.heldAfterClaim = lane.held;
      this.advance(lane);
    }
  }

  /** Takes out what has waited too long, or everything that has not begun. */
  takeBack(everything = false): ClaimedDelivery[] {
    const before = this.options.now() - PATIENCE_MS;
    const taken: ClaimedDelivery[] = [];
    for (const lane of this.lanes.values()) {
      const [first] = lane.queue;
      if (first === undefined || (!everything && first.since > before)) continue;
      lane.quick = false;
      lane.held -= lane.queue.length;
      taken.push(...lane.queue.splice(0).map(({ delivery }) => delivery));
    }
    this.held -= taken.length;
    for (const delivery of taken) this.shares.remove(delivery);
    return taken;
  }

  private laneOf(endpoint: string): Lane {
    let lane = this.lanes.get(endpoint);
    if (lane === undefined) {
      this.forgetIdle();
      lane = {
        slots: 0,
        running: 0,
        queue: [],
        held: 0,
        heldAfterClaim: 0,
        quick: false,
        restMs: 0,
        restsUntil: 0,
      };
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
      const now = this.options.now();
      lane.quick = accepted && now - begun <= QUICK_MS;
      rest(lane, accepted, now);
      lane.running -= 1;
      this.advance(lane);
    };
    await this.options.make(delivery, over);
    over(false);
    const wasFull = lane.held >= lane.slots;
    const nothingElseFits = this.room <= 0;
    const tenantHasRoom = this.shares.remove(delivery);
    lane.held -= 1;
    this.held -= 1;
    // What is held ahead need not be made up at once: a claim reads all that is held.
    if (nothingElseFits || tenantHasRoom) this.options.onRoom();
    else if (wasFull && lane.held < Math.max(lane.slots, lane.heldAfterClaim / 2))
      this.options.onRoom(delivery.endpoint);
  }

  private forgetIdle(): void {
    if (this.lanes.size < REMEMBERED) return;
    const now = this.options.now();
    for (const [endpoint, { running, queue, restsUntil }] of this.lanes)
      if (running === 0 && queue.length === 0 && restsUntil <= now) this.lanes.delete(endpoint);
  }
}

/** Attempts that were made at a time count as one failure. */
function rest(lane: Lane, accepted: boolean, now: number): void {
  if (accepted) {
    lane.restMs = 0;
  } else if (now >= lane.restsUntil) {
    lane.restMs = Math.min(Math.max(REST_MS.least, 2 * lane.restMs), REST_MS.most);
    lane.restsUntil = now + lane.restMs;
  }
}
