import { z } from 'zod';
import { REPLAYED_BY_DEFAULT } from '../../../../domain/webhooks/event-status.js';
import { eventStatus as status } from '../openapi/models/webhook-event.model.js';
import { cursor, list, single, wholeNumber } from '../schemas/query.schema.js';
import { MOMENT, moment } from '../schemas/timestamp.schema.js';

const name = z.string();

/** Source: webhooks 9. */
export const ListWebhookEvents = {
  query: z.object({
    link_id: single.optional(),
    webhook_event: single.optional(),
    status: list.pipe(z.array(status).optional()).meta({ openapi: z.array(status) }),
    created_after: single.pipe(moment).meta(MOMENT).optional(),
    created_before: single.pipe(moment).meta(MOMENT).optional(),
    order: single
      .pipe(z.enum(['asc', 'desc'], 'Must be asc or desc.'))
      .meta({ id: 'SortOrder', openapi: { type: 'string', enum: ['asc', 'desc'] } })
      .default('asc'),
    cursor,
    limit: wholeNumber({ min: 1, max: 500, fallback: 50 }),
  }),
};

export const ReplayWebhookEvents = {
  body: z
    .object({
      created_after: moment,
      created_before: moment.optional(),
      link_id: name.optional(),
      webhook_event: name.optional(),
      status: z
        .array(status)
        .min(1, 'Must name a status.')
        .default([...REPLAYED_BY_DEFAULT]),
      limit: z.int().min(1).max(1000).default(1000),
      dry_run: z.boolean().default(false),
    })
    .meta({ id: 'ReplayWebhookEventsRequest' }),
};
