import { setTimeout as pause } from 'node:timers/promises';
import type { ListenedDelivery } from '@tributary/node';
import type { Outcome } from './outcome.js';
import { postExactly } from './post-exactly.js';

export interface ForwardedDelivery {
  delivery: ListenedDelivery;
  outcome: Outcome;
  at: Date;
}

export interface ForwarderOptions {
  target: URL;
  report: (delivery: ListenedDelivery, outcome: Outcome) => Promise<void>;
  onForwarded: (forwarded: ForwardedDelivery) => void;
}

/** webhooks 8.2: what a receiver of production meets, too. */
const AT_ONCE = 8;
/** Reports are calls of the app and must not use up its rate (native-api 8): at most ten a second. */
const MAX_REPORTS = 2;
const AFTER_A_REPORT_MS = 200;
/** The time for reports that are not through when the program ends. */
const LAST_REPORTS_MS = 3_000;

/** Makes the requests of deliveries at the receiver, started in their order, and reports the responses. */
export class Forwarder {
  private readonly inFlight = new Set<Promise<void>>();
  private readonly toReport: ForwardedDelivery[] = [];
  private reporting = 0;

  constructor(private readonly options: ForwarderOptions) {}

  /** Resolves when another may follow. */
  async forwardInTurn(delivery: ListenedDelivery): Promise<void> {
    while (this.inFlight.size >= AT_ONCE) await Promise.race(this.inFlight);
    this.forward(delivery);
  }

  forward(delivery: ListenedDelivery): void {
    const at = new Date();
    const request = postExactly(this.options.target, delivery).then((outcome) => {
      this.inFlight.delete(request);
      const forwarded = { delivery, outcome, at };
      this.options.onForwarded(forwarded);
      this.toReport.push(forwarded);
      void this.reportAll();
    });
    this.inFlight.add(request);
  }

  /** Waits for the requests in flight, and for a moment for the reports. @returns the number of those that it drops */
  async settled(): Promise<number> {
    await Promise.all(this.inFlight);
    const giveUpAt = Date.now() + LAST_REPORTS_MS;
    while ((this.reporting > 0 || this.toReport.length > 0) && Date.now() < giveUpAt)
      await pause(20);
    // Waiting reports are dropped: the program ends.
    return this.toReport.splice(0).length + this.reporting;
  }

  private async reportAll(): Promise<void> {
    if (this.reporting >= MAX_REPORTS) return;
    this.reporting += 1;
    for (let next = this.toReport.shift(); next !== undefined; next = this.toReport.shift()) {
      await this.options.report(next.delivery, next.outcome);
      if (this.toReport.length > 0) await pause(AFTER_A_REPORT_MS);
    }
    this.reporting -= 1;
  }
}
