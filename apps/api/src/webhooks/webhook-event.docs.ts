import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { deliveryToken, eventId, syncCursor } from '../openapi/models/values.model.js';
import { webhookEvent, webhookEventInFull } from '../openapi/models/webhook-event.model.js';

/** Source: webhooks 9. */
export const webhookEventDocs = routeDocs('Webhooks', {
  list: {
    id: 'webhooks.listEvents',
    summary: 'List the event log; in ascending order its cursor never expires',
    response: json(
      z.object({
        events: z.array(webhookEvent),
        cursor: syncCursor,
        has_more: z.boolean(),
      }),
    ),
  },
  show: {
    id: 'webhooks.getEvent',
    summary: 'Get an event with its deliveries and attempts',
    response: json(webhookEventInFull),
    errors: ['webhook_error.not_found'],
  },
  replay: {
    id: 'webhooks.replayEvent',
    summary: 'Send an event again',
    response: json(z.object({ event_id: eventId, delivery_token: deliveryToken })),
    errors: ['webhook_error.not_found', 'link_error.bad_config'],
  },
  replayRange: {
    id: 'webhooks.replayEvents',
    summary: 'Send the events of a time range again',
    response: json(
      z.object({
        matched: z.int().describe('Matching events, regardless of `limit`.'),
        replayed: z.int().describe('Deliveries created.'),
        skipped: z.int().describe('Of `matched`, the events without a usable address.'),
        dry_run: z.boolean(),
      }),
    ),
  },
});
