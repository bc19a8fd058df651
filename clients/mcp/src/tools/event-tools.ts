import type { WebhookEvent } from '@tributary/node';
import { z } from 'zod';
import { untrustedText, untrustedValue } from '../results/untrusted-text.js';
import { cursor, id, limit, linkId, MAX_ROWS } from '../serving/inputs.js';
import { defineTool } from '../serving/tool.js';

const eventId = id.describe('From list_events.');

export const eventTools = [
  defineTool({
    name: 'list_events',
    description: 'List the webhook events with the status of their delivery, newest first.',
    scope: 'webhooks:read',
    input: z.strictObject({
      link_id: linkId.optional(),
      webhook_event: z.string().max(100).optional().describe('Such as link.state_changed.'),
      limit,
      cursor,
    }),
    async run(query, { tributary, options }) {
      const newestFirst = { ...query, order: 'desc' as const };
      const { items, next } = await tributary.webhooks.listEvents(newestFirst, options).page();
      return { events: items.map(eventResult), next_cursor: next };
    },
  }),
  defineTool({
    name: 'get_event',
    description: 'Show a webhook event with its body and each attempt to deliver it.',
    scope: 'webhooks:read',
    input: z.strictObject({ event_id: eventId }),
    async run({ event_id: event }, { tributary, options }) {
      const found = await tributary.webhooks.getEvent(event, options);
      return {
        ...eventResult(found),
        untrusted_body: untrustedValue(found.body),
        // The addresses are left out: they may contain secrets of the receiver.
        deliveries: found.deliveries.slice(-MAX_ROWS).map((delivery) => ({
          reason: delivery.reason,
          status: delivery.status,
          created_at: delivery.created_at,
          attempts: delivery.attempts.slice(-MAX_ROWS).map((attempt) => ({
            attempt: attempt.attempt,
            started_at: attempt.started_at,
            duration_ms: attempt.duration_ms,
            http_status: attempt.http_status,
            error: attempt.error,
            untrusted_response: untrustedText(attempt.response_excerpt),
          })),
        })),
      };
    },
  }),
  defineTool({
    name: 'replay_event',
    description: 'Deliver an event of a Sandbox link again to the webhook address of that link.',
    scope: 'webhooks:replay',
    writes: true,
    input: z.strictObject({ event_id: eventId }),
    async run({ event_id }, { tributary, options }) {
      await tributary.webhooks.replayEvent(event_id, options);
      return { event_id, replayed: true };
    },
  }),
];

function eventResult(event: WebhookEvent) {
  return {
    event_id: event.event_id,
    link_id: event.link_id,
    webhook_event: event.webhook_event,
    created_at: event.created_at,
    origin: event.origin,
    status: event.status,
    attempts: event.attempts,
    next_attempt_at: event.next_attempt_at,
  };
}
