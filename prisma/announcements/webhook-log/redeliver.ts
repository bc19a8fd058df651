import { makeId } from '../../../domain/api/ids.js';
import type { Context } from '../../base/context.js';
import { currentTraceId } from '../../base/database/work-origin.js';
import type { Tx } from '../../base/database/tx.js';
import { notify } from '../../base/database/notifications.js';
import { endpointOf } from '../events/insert-event.js';

export interface Redelivery {
  eventPk: bigint;
  url: string;
  /** The time of the first attempt. */
  startAt: Date;
}

/**
 * Creates a new delivery of each event: same body, key and timestamp, a new token, attempts from 1.
 * An open delivery ends as `replaced`, as does the workflow of its retries. The caller locks the
 * links of the events, so that a concurrent 410 is either seen or stops the new delivery, too.
 * @returns the tokens, in the order of the events. Source: webhooks 9.
 */
export async function redeliver(
  ctx: Context,
  tx: Tx,
  redeliveries: readonly Redelivery[],
): Promise<string[]> {
  const now = ctx.clock();
  const tokens = redeliveries.map(() => makeId('delivery', ctx.random));
  const eventPks = redeliveries.map(({ eventPk }) => eventPk);
  // The row decides; the workflow is ended as well, or it would still appear to wait for the next
  // planned time.
  const ended = await tx.$executeRaw`
    WITH ended AS (
      UPDATE webhook_deliveries
         SET newest = false, status = CASE WHEN status = 'pending' THEN 'replaced' ELSE status END, next_attempt_at = NULL
       WHERE event_pk = ANY(${eventPks}) AND newest
      RETURNING pk, delivery_id, status, in_workflow)
    INSERT INTO outbox_commands (kind, payload, trace_id)
    SELECT 'endWebhookDelivery', jsonb_build_object('deliveryId', delivery_id), ${currentTraceId()}::uuid FROM ended WHERE status = 'replaced' AND in_workflow ORDER BY pk`;
  if (ended > 0) notify(tx, 'outbox');
  await tx.$executeRaw`
    INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, next_attempt_at, trace_id, created_at)
    SELECT made.token, e.pk, e.app_id, e.environment, made.url, made.endpoint, 'replay', 'pending', made.start_at, ${currentTraceId()}::uuid, ${now}
      FROM unnest(${tokens}::text[], ${eventPks}::bigint[], ${redeliveries.map(({ url }) => url)}::text[],
                  ${redeliveries.map(({ url }) => endpointOf(url))}::text[], ${redeliveries.map(({ startAt }) => startAt)}::timestamptz[])
           WITH ORDINALITY AS made (token, event_pk, url, endpoint, start_at, place)
      JOIN webhook_events e ON e.pk = made.event_pk
     ORDER BY made.place`;
  notify(tx, 'webhook_delivery');
  return tokens;
}
