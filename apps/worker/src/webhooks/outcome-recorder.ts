import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedOutcome, WebhookDeliveryRepository } from '../../../../prisma/repositories/webhook-delivery.repository.js';

export interface OutcomeRecorderOptions {
  deliveries: Pick<WebhookDeliveryRepository, 'recordOutcomes'>;
  /** True when the database may answer later. */
  isTemporary: (error: unknown) => boolean;
  /** Pauses before recording again; after the last the outcome is given up, and its attempt will be made again. */
  retryAfterMs?: readonly number[];
}

interface Waiting {
  outcome: RecordedOutcome;
  settle: { resolve: () => void; reject: (error: unknown) => void };
}

const LARGEST_BATCH = 200;

/** Records outcomes in batches: those that arrive while a batch is being written form the next one. */
export class OutcomeRecorder {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(private readonly options: OutcomeRecorderOptions) {}

  async record(outcome: RecordedOutcome): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ outcome, settle: { resolve, reject } });
      if (!this.writing) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, LARGEST_BATCH);
      try {
        await this.write(batch.map(({ outcome }) => outcome));
        batch.forEach(({ settle }) => settle.resolve());
      } catch (error) {
        batch.forEach(({ settle }) => settle.reject(error));
      }
    }
    this.writing = false;
  }

  private async write(outcomes: readonly RecordedOutcome[]): Promise<void> {
    for (const delay of this.options.retryAfterMs ?? [200, 500, 1_000, 2_000]) {
      try {
        await this.options.deliveries.recordOutcomes(outcomes);
        return;
      } catch (error) {
        if (!this.options.isTemporary(error)) throw error;
      }
      await pause(delay);
    }
    await this.options.deliveries.recordOutcomes(outcomes);
  }
}
