import type pg from 'pg';
import type { WebhookAttemptFacts } from '../../../domain/webhooks/present-webhook-event.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { inPoolTransaction } from '../../base/database/pool-transaction.js';
import { storedAttempt } from './attempt-history.js';

export interface RecordedOutcome extends WebhookAttemptFacts {
  deliveryPk: bigint;
  /** The status of the delivery after the attempt. */
  status: 'pending' | 'delivered' | 'exhausted' | 'disabled';
  nextAttemptAt: Date | null;
  shiftMs: number;
}

/** The results of attempts. Source: webhooks 8. */
export class WebhookOutcomeRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Writes outcomes and ends their leases. In the same transaction, a 410 also ends all other
   * deliveries of the link to that address. Recording an outcome twice changes nothing.
   */
  async recordOutcomes(outcomes: readonly RecordedOutcome[]): Promise<void> {
    const { hot } = this.ctx.database;
    if (!outcomes.some(({ status }) => status === 'disabled')) {
      await record(hot, outcomes);
      return;
    }
    await inPoolTransaction(hot, async (client) => {
      for (const { link_id: linkId, url } of await record(client, outcomes))
        await this.disableAddress(client, linkId, url);
    });
  }

  /**
   * webhooks 8.2: 410 disables the address for this link and stops its other open deliveries to it,
   * and their workflows. The link is locked first, so that an event which is being written now is
   * either stopped here or sees the mark.
   */
  private async disableAddress(client: pg.PoolClient, linkId: string, url: string): Promise<void> {
    await client.query(
      'UPDATE links SET webhook_disabled_at = $1, revision = revision + 1 WHERE link_id = $2 AND webhook = $3 AND webhook_disabled_at IS NULL',
      [this.ctx.clock(), linkId, url],
    );
    const { rowCount } = await client.query(
      `WITH ended AS (
         UPDATE webhook_deliveries d SET status = 'disabled', next_attempt_at = NULL
         FROM webhook_events e
         WHERE e.pk = d.event_pk AND e.link_id = $1 AND d.url = $2 AND d.status = 'pending'
         RETURNING d.pk, d.delivery_id, d.in_workflow, d.trace_id)
       INSERT INTO outbox_commands (kind, payload, trace_id)
       SELECT 'endWebhookDelivery', jsonb_build_object('deliveryId', delivery_id), trace_id FROM ended WHERE in_workflow ORDER BY pk`,
      [linkId, url],
    );
    if (rowCount !== null && rowCount > 0)
      await client.query("SELECT pg_notify('outbox_' || suffix, '') FROM notification_channels");
  }
}

/** @returns the addresses whose receiver returned 410 */
async function record(
  client: Pick<pg.Pool, 'query'>,
  outcomes: readonly RecordedOutcome[],
): Promise<{ url: string; link_id: string }[]> {
  const { rows } = await client.query<{ url: string; link_id: string }>({
    name: 'webhook-record-outcomes',
    text: loadSql('webhook-record-outcomes'),
    values: [
      JSON.stringify(outcomes.map(toOutcomeRow)),
      outcomes.map(({ deliveryPk }) => deliveryPk),
    ],
  });
  return rows;
}

function toOutcomeRow(outcome: RecordedOutcome): object {
  const { deliveryPk, attempt, startedAt, status, nextAttemptAt, shiftMs } = outcome;
  return {
    delivery_pk: deliveryPk.toString(),
    attempt,
    started_at: startedAt,
    facts: storedAttempt(outcome),
    status,
    next_attempt_at: nextAttemptAt,
    shift_ms: shiftMs,
  };
}
