import type {
  ClaimedCommand,
  OutboxRepository,
} from '../../../../prisma/base/outbox/outbox.repository.js';
import type { OutboxCommand } from '../../../../prisma/base/outbox/outbox.js';
import { runTraced } from '../../../../prisma/base/database/work-origin.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { redactText } from '../../../platform/src/logging/redaction.js';
import { PollLoop } from '../../../platform/src/process/poll-loop.js';

export interface OutboxRelayOptions {
  outbox: Pick<OutboxRepository, 'claim' | 'done' | 'failed'>;
  /** Performs a command at least once; a command that was performed before is a success. */
  perform: (command: OutboxCommand) => Promise<void>;
  logger: Logger;
  clock: () => Date;
  pollMs?: number;
  /** Commands performed at a time. */
  batch?: number;
  /** Longer than performing a command can take. */
  leaseMs?: number;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
const LONGEST_ERROR = 300;

/** Performs the Temporal commands that transactions recorded. While Temporal is unavailable they wait in their table. */
export class OutboxRelay {
  private readonly loop: PollLoop;
  private readonly batch: number;
  private readonly leaseMs: number;

  constructor(private readonly options: OutboxRelayOptions) {
    this.batch = options.batch ?? 20;
    this.leaseMs = options.leaseMs ?? 30_000;
    this.loop = new PollLoop({
      work: () => this.drainOnce(),
      pollMs: options.pollMs ?? 1_000,
      onError: (error) => options.logger.warn({ err: error }, 'outbox.claim_failed'),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** For the notification `outbox`. */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves when the current commands have ended. */
  async stop(): Promise<void> {
    await this.loop.stop();
  }

  private async drainOnce(): Promise<boolean> {
    const claimed = await this.options.outbox.claim(this.batch, this.leaseMs);
    await Promise.all(
      claimed.map((command) => runTraced(command.traceId, () => this.perform(command))),
    );
    return claimed.length === this.batch;
  }

  private async perform({ pk, command, attempts }: ClaimedCommand): Promise<void> {
    const { outbox, perform, logger, clock } = this.options;
    try {
      await perform(command);
    } catch (error) {
      const retryAt = new Date(
        clock().getTime() + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1)),
      );
      logger.warn({ kind: command.kind, attempts, err: error }, 'outbox.command_failed');
      await outbox.failed(pk, describe(error), retryAt);
      return;
    }
    await outbox.done(pk);
    logger.debug({ kind: command.kind, attempts }, 'outbox.command_done');
  }
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
  return redactText(text).slice(0, LONGEST_ERROR);
}
