import { z } from 'zod';
import { EVENT_STATUSES } from '../../../../../domain/webhooks/event-status.js';
import { deliveryToken, eventId, ID_CHARACTERS, timestamp } from './values.model.js';
import { webhookEventBody } from './webhook-event-body.model.js';

export const eventStatus = z
  .enum(EVENT_STATUSES, `Must be one of ${EVENT_STATUSES.join(', ')}.`)
  .meta({ id: 'WebhookEventStatus', description: 'How far the delivery of an event has come.' });
export const linkOrSessionId = z
  .string()
  .regex(new RegExp(`^(mk|ses)_${ID_CHARACTERS}$`))
  .meta({
    id: 'LinkOrSessionId',
    description: 'The link; for the end of a session without a link, the session.',
  });

const attempt = z
  .object({
    attempt: z.int().describe('1 for the first, and so on.'),
    started_at: timestamp.describe('The start of the attempt.'),
    duration_ms: z.int().describe('How long it took, in milliseconds.'),
    http_status: z.int().nullable().describe('The status of the response; null = there was none.'),
    error: z
      .enum(['timeout', 'connect', 'tls', 'address_refused', 'http_status'])
      .meta({ id: 'WebhookAttemptError', description: 'Why an attempt failed.' })
      .nullable()
      .describe('What went wrong; null = nothing did.'),
    response_excerpt: z.string().nullable().describe('The beginning of the response.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt of a delivery.' });

const delivery = z
  .object({
    delivery_token: deliveryToken.describe('The id of the delivery.'),
    url: z
      .string()
      .nullable()
      .describe('Null when the link had no webhook address, and for a listener.'),
    reason: z
      .enum(['event', 'replay', 'test', 'listener'])
      .meta({ id: 'WebhookDeliveryReason', description: 'Why a delivery was made.' })
      .describe('Why it was made.'),
    status: z
      .enum([...EVENT_STATUSES, 'replaced'])
      .meta({ id: 'WebhookDeliveryStatus', description: 'How far a delivery has come.' })
      .describe('How far it has come.'),
    created_at: timestamp.describe('The creation of the delivery.'),
    attempts: z.array(attempt).describe('Its attempts, oldest first.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to one address.' });

/** Source: webhooks 9. */
export const webhookEvent = z
  .object({
    event_id: eventId.describe('The id of the event.'),
    link_id: linkOrSessionId,
    webhook_event: z.string().describe('The name of the event.'),
    webhook_idempotency_key: z.string().describe('The same in each delivery of the event.'),
    created_at: timestamp.describe('The creation of the event.'),
    origin: z
      .enum(['change', 'test'])
      .meta({ id: 'WebhookEventOrigin', description: 'A change, or a test of your app.' })
      .describe('A change, or a test of your app.'),
    status: eventStatus.describe('The status of the newest delivery.'),
    attempts: z.int().describe('Attempts of the newest delivery.'),
    last_attempt_at: timestamp.nullable().describe('The last attempt; null = there was none.'),
    next_attempt_at: timestamp.nullable().describe('The next attempt; null = none is planned.'),
    body: webhookEventBody,
    body_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('The SHA-256 of the body, in hexadecimal.'),
  })
  .meta({ id: 'WebhookEvent', description: 'An event, and how far its delivery has come.' });

export const webhookEventInFull = webhookEvent
  .extend({
    deliveries: z
      .array(delivery)
      .describe('Oldest first: the newest 100, each with its last 20 attempts.'),
  })
  .meta({ id: 'WebhookEventInFull', description: 'An event with all its deliveries.' });
