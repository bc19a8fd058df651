import { setTimeout as pause } from 'node:timers/promises';
import type {
  RecordedOutcome,
  WebhookOutcomeRepository,
} from '../../../../prisma/announcements/webhooks/webhook-outcome.repository.js';

export interface OutcomeRecorderOptions {
  outcomes: Pick<WebhookOutcomeRepository, 'recordOutcomes'>;
  /** True when the database may respond later. */
  isTemporary: (error: unknown) => boolean;
  /** Pauses before writing again; after the last one the outcome is dropped, and its attempt will be made again. */
  retryAfterMs?: readonly number[];
}

interface Waiting {
  outcome: RecordedOutcome;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const LARGEST_BATCH = 500;
/** A batch costs the database little more than one outcome, so a few wait for others. */
const FEW = 32;
const GATHER_MS = 10;

/** Records outcomes in batches: those that arrive while a batch is written, or shortly after it, form the next. */
export class OutcomeRecorder {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(private readonly options: OutcomeRecorderOptions) {}

  async record(outcome: RecordedOutcome): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ outcome, resolve, reject });
      if (!this.writing) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, LARGEST_BATCH);
      try {
        await this.write(batch.map(({ outcome }) => outcome));
        batch.forEach(({ resolve }) => resolve());
      } catch (error) {
        batch.forEach(({ reject }) => reject(error));
      }
      if (this.waiting.length < FEW) await pause(GATHER_MS);
    }
    this.writing = false;
  }

  private async write(outcomes: readonly RecordedOutcome[]): Promise<void> {
    const { outcomes: repository, isTemporary, retryAfterMs } = this.options;
    for (const delay of retryAfterMs ?? [200, 500, 1_000, 2_000]) {
      try {
        return await repository.recordOutcomes(outcomes);
      } catch (error) {
        if (!isTemporary(error)) throw error;
      }
      await pause(delay);
    }
    return repository.recordOutcomes(outcomes);
  }
}
