import type { Tenant } from '../../../domain/api/environment.js';
import type { AttemptError } from '../../../domain/webhooks/judge-attempt.js';
import { MAX_SHOWN_ATTEMPTS } from '../../../domain/webhooks/shown-deliveries.js';
import { ANSWER_RULES, type WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../base/context.js';
import { takeRoom } from '../../tenants/usage/app-use.js';
import { eventStatement } from '../webhook-log/webhook-log-query.js';
import { storedAttempt } from '../webhooks/attempt-history.js';
import { listenedToken } from './listened-token.js';

/** The response of a listener's receiver to one delivery. */
export interface ListenedReport {
  eventId: string;
  attempt: number;
  /** Null = there was no response. */
  httpStatus: number | null;
  error: Exclude<AttemptError, 'http_status' | 'address_refused'> | null;
  durationMs: number;
  responseExcerpt: string | null;
}

/** The path of the last ones. */
const KEPT_ATTEMPTS = `$[last - ${MAX_SHOWN_ATTEMPTS - 1} to last]`;

export type ListenedStatus = 'delivered' | 'exhausted';

/** Deliveries to listeners, which the log shows beside those of the event. Source: webhooks 13. */
export class ListenedReportRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Records an attempt, once for each of its numbers. The delivery is never the newest of its event,
   * so the status and the retries of the event stay as they are.
   * @returns null when the listener has no such delivery
   * @throws BoundReached
   */
  async record(
    tenant: Tenant,
    { listenerId, deliveryId }: { listenerId: string; deliveryId: string },
    report: ListenedReport,
  ): Promise<ListenedStatus | null> {
    const { ctx } = this;
    const { eventId, attempt, durationMs } = report;
    if (listenedToken(listenerId, eventId) !== deliveryId) return null;
    const { text, values } = eventStatement(tenant, eventId);
    return ctx.database.transaction(async (tx) => {
      const [found] = await tx.$queryRawUnsafe<{ pk: bigint }[]>(text, ...values);
      if (found === undefined) return null;
      const event = await tx.webhookEvent.findUnique({
        where: { pk: found.pk },
        select: { format: true },
      });
      if (event === null) return null;
      const outcome = outcomeOf(report, event.format as WebhookFormat);
      const now = ctx.clock();
      const startedAt = new Date(now.getTime() - durationMs);
      const history = JSON.stringify([
        storedAttempt({ ...report, attempt, startedAt, durationMs, error: outcome.error }),
      ]);
      const [written] = await tx.$queryRaw<{ is_new: boolean }[]>`
        INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, newest, reason, status, attempts, history, first_attempt_at, last_attempt_at, created_at)
        SELECT ${deliveryId}::text, e.pk, e.app_id, e.environment, false, 'listener', ${outcome.status}::text, ${attempt}::int, ${history}::jsonb, ${startedAt}::timestamptz, ${startedAt}::timestamptz, ${startedAt}::timestamptz
          FROM webhook_events e WHERE e.pk = ${found.pk}
           FOR KEY SHARE
        ON CONFLICT (delivery_id) DO UPDATE
           SET attempts = excluded.attempts, status = excluded.status, history = jsonb_path_query_array(webhook_deliveries.history || excluded.history, ${KEPT_ATTEMPTS}::jsonpath), last_attempt_at = excluded.last_attempt_at
         WHERE webhook_deliveries.attempts < excluded.attempts
        RETURNING xmax = 0 AS is_new`;
      if (written?.is_new === true) takeRoom(ctx, tx, tenant, { replays: 1 });
      return outcome.status;
    });
  }
}

function outcomeOf(
  { httpStatus, error }: ListenedReport,
  format: WebhookFormat,
): { status: ListenedStatus; error: AttemptError | null } {
  if (httpStatus === null) return { status: 'exhausted', error: error ?? 'connect' };
  return ANSWER_RULES[format].isAccepted(httpStatus)
    ? { status: 'delivered', error: null }
    : { status: 'exhausted', error: 'http_status' };
}
