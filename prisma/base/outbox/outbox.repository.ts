import type { Context } from '../context.js';
import { loadSql } from '../database/load-sql.js';
import { traceIdFromColumn } from '../database/work-origin.js';
import type { OutboxCommand } from './outbox.js';

export interface ClaimedCommand {
  pk: bigint;
  command: OutboxCommand;
  /** The number of claims, including this one. */
  attempts: number;
  /** The trace id of the request that caused it. */
  traceId: string | null;
}

interface CommandRow {
  pk: string;
  kind: string;
  payload: object;
  attempts: number;
  trace_id: string | null;
}

/** Commands for Temporal, written by transactions. A command stays until it succeeds. */
export class OutboxRepository {
  constructor(private readonly ctx: Context) {}

  async claim(limit: number, leaseMs: number): Promise<ClaimedCommand[]> {
    const now = this.ctx.clock();
    const { rows } = await this.ctx.database.hot.query<CommandRow>(loadSql('outbox-claim'), [
      now,
      new Date(now.getTime() + leaseMs),
      limit,
    ]);
    // Only enqueueCommand and the delivery statements write this table.
    return rows.map(({ pk, kind, payload, attempts, trace_id }) => ({
      pk: BigInt(pk),
      command: { kind, ...payload } as OutboxCommand,
      attempts,
      traceId: traceIdFromColumn(trace_id),
    }));
  }

  async done(pk: bigint): Promise<void> {
    await this.ctx.database.hot.query('DELETE FROM outbox_commands WHERE pk = $1', [pk]);
  }

  /** `error` is kept for operators and contains no secrets. */
  async failed(pk: bigint, error: string, retryAt: Date): Promise<void> {
    await this.ctx.database.hot.query(
      'UPDATE outbox_commands SET available_at = $2, last_error = $3 WHERE pk = $1',
      [pk, retryAt, error],
    );
  }
}
