import { setTimeout as pause } from 'node:timers/promises';
import type {
  RecordedFailure,
  RecordedOutcome,
  WebhookOutcomeRepository,
} from '../../../prisma/webhooks/webhook-outcome.repository.js';
import { gather } from './gather.js';

export interface OutcomeRecorderOptions {
  outcomes: Pick<WebhookOutcomeRepository, 'recordOutcomes'>;
  /** True when the database may answer later. */
  isTemporary: (error: unknown) => boolean;
  /** Pauses before recording again; after the last the outcome is given up, and its attempt will be made again. */
  retryAfterMs?: readonly number[];
}

interface Waiting {
  outcome: RecordedOutcome;
  settle: {
    resolve: (recorded: RecordedFailure | undefined) => void;
    reject: (error: unknown) => void;
  };
}

const LARGEST_BATCH = 500;
/** Single outcomes come some milliseconds apart, and nobody waits for them. Measured: docs/performance.md. */
const GATHER_FEW_MS = 50;

/** Records outcomes in batches: those that arrive while a batch is being written, or shortly after it, form the next. */
export class OutcomeRecorder {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(private readonly options: OutcomeRecorderOptions) {}

  /** @returns what became of the delivery; undefined when it was delivered, or the outcome came too late to count */
  async record(outcome: RecordedOutcome): Promise<RecordedFailure | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ outcome, settle: { resolve, reject } });
      if (!this.writing) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, LARGEST_BATCH);
      try {
        const recorded = new Map(
          (await this.write(batch.map(({ outcome }) => outcome))).map((failure) => [
            failure.deliveryPk,
            failure,
          ]),
        );
        batch.forEach(({ outcome, settle }) => settle.resolve(recorded.get(outcome.deliveryPk)));
      } catch (error) {
        batch.forEach(({ settle }) => settle.reject(error));
      }
      await gather(batch.length, GATHER_FEW_MS);
    }
    this.writing = false;
  }

  private async write(outcomes: readonly RecordedOutcome[]): Promise<RecordedFailure[]> {
    for (const delay of this.options.retryAfterMs ?? [200, 500, 1_000, 2_000]) {
      try {
        return await this.options.outcomes.recordOutcomes(outcomes);
      } catch (error) {
        if (!this.options.isTemporary(error)) throw error;
      }
      await pause(delay);
    }
    return this.options.outcomes.recordOutcomes(outcomes);
  }
}
