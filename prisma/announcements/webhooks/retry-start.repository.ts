import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';

export interface RetryStartOptions {
  limit: number;
  perEndpoint: number;
  /** Starts that already count toward `perEndpoint`, by endpoint. */
  recent?: Readonly<Record<string, number>>;
}

const MAX_COUNTED = 1_000;

/** Retry workflows of deliveries whose first attempt has failed. Source: webhooks 8.1. */
export class RetryStartRepository {
  constructor(private readonly ctx: Context) {}

  /** Requests workflows, the earliest due first. @returns the endpoint of each */
  async start({ limit, perEndpoint, recent = {} }: RetryStartOptions): Promise<string[]> {
    const exhausted = Object.keys(recent).filter(
      (endpoint) => (recent[endpoint] ?? 0) >= perEndpoint,
    );
    const { hot, notifier } = this.ctx.database;
    const { rows } = await hot.query<{ endpoint: string }>({
      name: 'webhook-start-retries',
      text: loadSql('webhook-start-retries'),
      values: [limit, perEndpoint, JSON.stringify(recent), exhausted],
    });
    if (rows.length > 0) notifier.send([{ channel: 'outbox', payload: '' }]);
    return rows.map(({ endpoint }) => endpoint);
  }

  /** Deliveries whose next attempt is due while they still wait for their workflow; 1000 = that many or more. */
  async countLate(): Promise<number> {
    const { rows } = await this.ctx.database.hot.query<{ late: number }>(
      `SELECT count(*)::int AS late FROM (
         SELECT FROM webhook_deliveries
          WHERE status = 'pending' AND attempts >= 1 AND NOT in_workflow AND next_attempt_at < $1::timestamptz
          LIMIT $2::int) late`,
      [this.ctx.clock(), MAX_COUNTED],
    );
    return rows[0]?.late ?? 0;
  }
}
