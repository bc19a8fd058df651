import { z } from 'zod';
import { EVENT_STATUSES } from '../../../../../domain/webhooks/event-status.js';
import { deliveryToken, eventId, ID_CHARACTERS, timestamp } from './values.model.js';

export const eventStatus = z
  .enum(EVENT_STATUSES, `Must be one of ${EVENT_STATUSES.join(', ')}.`)
  .meta({ id: 'WebhookEventStatus' });
export const linkOrSessionId = z
  .string()
  .regex(new RegExp(`^(mk|ses)_${ID_CHARACTERS}$`))
  .meta({
    id: 'LinkOrSessionId',
    description: 'The link; for the end of a session without a link, the session.',
  });

const attempt = z
  .object({
    attempt: z.int(),
    started_at: timestamp,
    duration_ms: z.int(),
    http_status: z.int().nullable(),
    error: z
      .enum(['timeout', 'connect', 'tls', 'address_refused', 'http_status'])
      .meta({ id: 'WebhookAttemptError' })
      .nullable(),
    response_excerpt: z.string().nullable(),
  })
  .meta({ id: 'WebhookAttempt' });

const delivery = z
  .object({
    delivery_token: deliveryToken,
    url: z
      .string()
      .nullable()
      .describe('Null when the link had no webhook address, and for a listener.'),
    reason: z.enum(['event', 'replay', 'test', 'listener']).meta({ id: 'WebhookDeliveryReason' }),
    status: z.enum([...EVENT_STATUSES, 'replaced']).meta({ id: 'WebhookDeliveryStatus' }),
    created_at: timestamp,
    attempts: z.array(attempt),
  })
  .meta({ id: 'WebhookDelivery' });

/** Source: webhooks 9. */
export const webhookEvent = z
  .object({
    event_id: eventId,
    link_id: linkOrSessionId,
    webhook_event: z.string(),
    webhook_idempotency_key: z.string(),
    created_at: timestamp,
    origin: z.enum(['change', 'test']).meta({ id: 'WebhookEventOrigin' }),
    status: eventStatus.describe('The status of the newest delivery.'),
    attempts: z.int().describe('Attempts of the newest delivery.'),
    last_attempt_at: timestamp.nullable(),
    next_attempt_at: timestamp.nullable(),
    body: z
      .looseObject({})
      .describe(
        'The body that is sent; for webhooks of the Plaid-compatible layer without their tokens.',
      ),
    body_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  })
  .meta({ id: 'WebhookEvent' });

export const webhookEventInFull = webhookEvent
  .extend({
    deliveries: z
      .array(delivery)
      .describe('Oldest first: the newest 100, each with its last 20 attempts.'),
  })
  .meta({ id: 'WebhookEventInFull' });
