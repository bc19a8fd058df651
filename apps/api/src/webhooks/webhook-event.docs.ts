import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { deliveryToken, eventId, syncCursor } from '../openapi/models/values.model.js';
import { webhookEvent, webhookEventInFull } from '../openapi/models/webhook-event.model.js';

/** Source: webhooks 9. */
export const webhookEventDocs = routeDocs('Webhooks', {
  list: {
    id: 'webhooks.listEvents',
    summary: 'List the event log; in ascending order its cursor never expires',
    description:
      'Every event that was or would have been sent, with the status of its newest delivery. Filters are combined; keep them while you follow `cursor.next`.\n\nIn ascending order, the cursor remains usable after the last page: call again with it to read what is new. Events are kept for 90 days unless the operator configured another time.',
    response: json(
      z.object({
        events: z.array(webhookEvent).describe('The events of this page.'),
        cursor: syncCursor,
        has_more: z.boolean().describe('More events follow now.'),
      }),
    ),
  },
  show: {
    id: 'webhooks.getEvent',
    summary: 'Get an event with its deliveries and attempts',
    description:
      'Shows the newest deliveries of the event and their last attempts: the status and the first part of the response of your endpoint, or the reason why there was none.',
    response: json(webhookEventInFull),
    errors: ['webhook_error.not_found'],
  },
  replay: {
    id: 'webhooks.replayEvent',
    summary: 'Send an event again',
    description:
      'Creates a new delivery of the same bytes with the same `webhook_idempotency_key` and a fresh signature, to the current address of the link. It is retried like any other. A delivery that is still being attempted is replaced.',
    response: json(
      z.object({
        event_id: eventId.describe('The id of the event.'),
        delivery_token: deliveryToken.describe('The id of the new delivery.'),
      }),
    ),
    errors: ['webhook_error.not_found', 'link_error.bad_config'],
  },
  replayRange: {
    id: 'webhooks.replayEvents',
    summary: 'Send the events of a time range again',
    description:
      'By default, sends the events again that were not delivered. At most `limit` are sent, oldest first; events without a usable address are counted in `skipped`. With `dry_run`, events are only counted.',
    response: json(
      z.object({
        matched: z.int().describe('Matching events, regardless of `limit`.'),
        replayed: z.int().describe('Deliveries created.'),
        skipped: z.int().describe('Of `matched`, the events without a usable address.'),
        dry_run: z.boolean().describe('Nothing was sent.'),
      }),
    ),
  },
});
