import { z } from 'zod';
import { single, wholeNumber } from '../schemas/query.schema.js';
import { text } from '../schemas/text.schema.js';
import { moment } from '../schemas/timestamp.schema.js';
import { WEBHOOKS } from '../openapi/models/webhook.model.js';

const MAX_NAMES = 50;
const MAX_WAIT_SECONDS = 25;
const MAX_PAGE = 100;
const MAX_ATTEMPT = 1_000;
const MAX_DURATION_MS = 3_600_000;
const MAX_EXCERPT = 512;

const NATIVE_NAMES = Object.keys(WEBHOOKS);
/** A name of this API, or type and code of the Plaid-compatible layer. */
const EVENT_NAME = new RegExp(
  `^(${NATIVE_NAMES.join('|').replaceAll('.', String.raw`\.`)}|[A-Z_]{1,50}\\.[A-Z_]{1,50})$`,
);

/** A request without a body listens to every event from now on. Source: webhooks 13. */
export const CreateListener = {
  body: z
    .object({
      webhook_events: z
        .array(
          z
            .string()
            .regex(EVENT_NAME, `Must be one of ${NATIVE_NAMES.join(', ')}, or TYPE.CODE.`)
            .meta({ id: 'ListenedEventName' }),
        )
        .max(MAX_NAMES)
        .default([])
        .describe('Names of events; empty = all.'),
      link_id: text(1, 100)
        .nullable()
        .default(null)
        .describe('Only events of this link, or of this session without one.'),
      since: moment
        .nullable()
        .default(null)
        .describe('The earliest time of creation of an event; null = from now on.'),
    })
    .prefault({})
    .meta({ id: 'CreateWebhookListenerRequest' }),
};

/** Source: webhooks 13. */
export const ListListenedDeliveries = {
  query: z.object({
    after: single
      .meta({
        openapi: {
          type: 'string',
          description:
            'A `cursor` of this listener; any other text is refused. Empty: from its start.',
        },
      })
      .optional(),
    wait: wholeNumber({ min: 0, max: MAX_WAIT_SECONDS, fallback: 0 }).describe(
      'The seconds to wait for a delivery.',
    ),
    limit: wholeNumber({ min: 1, max: MAX_PAGE, fallback: MAX_PAGE }).describe(
      'Deliveries of a page.',
    ),
  }),
};

/** Source: webhooks 13. */
export const ReportListenedDelivery = {
  body: z
    .object({
      event_id: text(1, 100).describe('The id of the event.'),
      attempt: z
        .int()
        .min(1)
        .max(MAX_ATTEMPT)
        .default(1)
        .describe('The number of the attempt, as listed.'),
      http_status: z
        .int()
        .min(100)
        .max(599)
        .nullable()
        .default(null)
        .describe('The status that the receiver returned; null = there was no response.'),
      error: z
        .enum(['timeout', 'connect', 'tls'])
        .meta({ id: 'ListenedAttemptError', description: 'Why there was no response.' })
        .nullable()
        .default(null)
        .describe('The reason why there was no response; ignored with a status.'),
      duration_ms: z
        .int()
        .min(0)
        .max(MAX_DURATION_MS)
        .describe('How long it took, in milliseconds.'),
      response_excerpt: text(0, MAX_EXCERPT)
        .nullable()
        .default(null)
        .describe('The beginning of the response.'),
    })
    .meta({ id: 'ReportListenedDeliveryRequest' }),
};
