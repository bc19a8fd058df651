import { z } from 'zod';
import { REPLAYED_BY_DEFAULT } from '../../../../domain/webhooks/event-status.js';
import { eventStatus as status } from '../openapi/models/webhook-event.model.js';
import { cursor, list, single, sortOrder, wholeNumber } from '../schemas/query.schema.js';
import { MOMENT, moment } from '../schemas/timestamp.schema.js';

const name = z.string();

/** Source: webhooks 9. */
export const ListWebhookEvents = {
  query: z.object({
    link_id: single
      .optional()
      .describe('Only events of this link, or of this session without one.'),
    webhook_event: single.optional().describe('Only events of this name.'),
    status: list
      .pipe(z.array(status).optional())
      .meta({ openapi: z.array(status) })
      .describe('Only events of these statuses.'),
    created_after: single.pipe(moment).meta(MOMENT).optional().describe('Only later events.'),
    created_before: single.pipe(moment).meta(MOMENT).optional().describe('Only earlier events.'),
    order: sortOrder,
    cursor,
    limit: wholeNumber({ min: 1, max: 500, fallback: 50 }).describe('Events of a page.'),
  }),
};

export const ReplayWebhookEvents = {
  body: z
    .object({
      created_after: moment.describe('Only later events.'),
      created_before: moment.optional().describe('Only earlier events; missing = now.'),
      link_id: name
        .optional()
        .describe('Only events of this link, or of this session without one.'),
      webhook_event: name.optional().describe('Only events of this name.'),
      status: z
        .array(status)
        .min(1, 'Must name a status.')
        .default([...REPLAYED_BY_DEFAULT])
        .describe('Only events of these statuses.'),
      limit: z.int().min(1).max(1000).default(1000).describe('The number of events to send again.'),
      dry_run: z.boolean().default(false).describe('Only counts.'),
    })
    .meta({ id: 'ReplayWebhookEventsRequest' }),
};
