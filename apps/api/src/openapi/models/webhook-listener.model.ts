import { z } from 'zod';
import { deliveryToken, eventId, idOf, syncCursor, timestamp } from './values.model.js';
import { linkOrSessionId } from './webhook-event.model.js';

const listenerId = idOf('lsn_').meta({
  id: 'WebhookListenerId',
  description: 'The id of a listener.',
});

/** Source: webhooks 13. */
export const webhookListener = z
  .object({
    listener_id: listenerId,
    webhook_events: z.array(z.string()).describe('Empty = all.'),
    link_id: z
      .string()
      .nullable()
      .describe('The only link or session that it listens to; null = all.'),
    since: timestamp
      .nullable()
      .describe('The earliest creation of its events; null = that of the listener.'),
    created_at: timestamp.describe('The creation of the listener.'),
    ends_at: timestamp.describe('A minute after its last call; each call moves it.'),
  })
  .meta({
    id: 'WebhookListener',
    description: 'A program that receives copies of events by calls of its own.',
  });

const listenedDelivery = z
  .object({
    delivery_token: deliveryToken,
    event_id: eventId,
    webhook_event: z.string().describe('The name of the event.'),
    link_id: linkOrSessionId,
    created_at: timestamp.describe('The creation of the event.'),
    attempt: z.int().describe('1, and one more after each reported attempt.'),
    headers: z
      .record(z.string(), z.string())
      .describe('Send exactly these. The signature is made for this response.'),
    body: z.string().describe('Send exactly this text, in UTF-8.'),
    cursor: z.string().describe('Pass it as `after` to continue behind this delivery.'),
  })
  .meta({
    id: 'ListenedDelivery',
    description: 'A copy of an event, ready to be sent to a receiver.',
  });

export const listenedDeliveries = z.object({
  deliveries: z.array(listenedDelivery).describe('In the order of the event log.'),
  cursor: syncCursor.describe('The position after this page.'),
  has_more: z.boolean().describe('More deliveries wait: call again at once.'),
});

export const reportedDelivery = z.object({
  delivery_token: deliveryToken,
  event_id: eventId,
  status: z
    .enum(['delivered', 'exhausted'])
    .meta({ id: 'ListenedDeliveryStatus', description: 'How the reported attempt counts.' })
    .describe('`delivered` after a response that a receiver gives to accept a webhook.'),
});
