import { z } from 'zod';
import { deliveryToken, eventId, idOf, syncCursor, timestamp } from './values.model.js';
import { linkOrSessionId } from './webhook-event.model.js';

const listenerId = idOf('lsn_').meta({ id: 'WebhookListenerId' });

/** Source: webhooks 13. */
export const webhookListener = z
  .object({
    listener_id: listenerId,
    webhook_events: z.array(z.string()).describe('Empty = all.'),
    link_id: z.string().nullable(),
    since: timestamp.nullable(),
    created_at: timestamp,
    ends_at: timestamp.describe('A minute after its last call; each call moves it.'),
  })
  .meta({ id: 'WebhookListener' });

const listenedDelivery = z
  .object({
    delivery_token: deliveryToken,
    event_id: eventId,
    webhook_event: z.string(),
    link_id: linkOrSessionId,
    created_at: timestamp.describe('The creation of the event.'),
    attempt: z.int().describe('1, and one more after each reported attempt.'),
    headers: z
      .record(z.string(), z.string())
      .describe('Send exactly these. The signature is made for this response.'),
    body: z.string().describe('Send exactly this text, in UTF-8.'),
    cursor: z.string().describe('Pass it as `after` to continue behind this delivery.'),
  })
  .meta({ id: 'ListenedDelivery' });

export const listenedDeliveries = z.object({
  deliveries: z.array(listenedDelivery).describe('In the order of the event log.'),
  cursor: syncCursor,
  has_more: z.boolean(),
});

export const reportedDelivery = z.object({
  delivery_token: deliveryToken,
  event_id: eventId,
  status: z
    .enum(['delivered', 'exhausted'])
    .meta({ id: 'ListenedDeliveryStatus' })
    .describe('`delivered` after a response that a receiver gives to accept a webhook.'),
});
