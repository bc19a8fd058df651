import { Controller, Param } from '@nestjs/common';
import { ApiError, invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import {
  presentWebhookEvent,
  presentWebhookEventInFull,
} from '../../../../domain/webhooks/present-webhook-event.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { EventLogBusy } from '../../../../prisma/announcements/webhook-log/settled-events.js';
import { WebhookLogRepository } from '../../../../prisma/announcements/webhook-log/webhook-log.repository.js';
import { WebhookReplayRepository } from '../../../../prisma/announcements/webhook-log/webhook-replay.repository.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { webhookEventDocs } from './webhook-event.docs.js';
import { decodeEventCursor, encodeEventCursor, type EventQuery } from './event-cursor.js';
import { ListWebhookEvents, ReplayWebhookEvents } from './webhook-events.requests.js';

/** The event log of an app, and replays. Source: webhooks 9. */
@Controller()
export class WebhookEventController {
  constructor(
    private readonly log: WebhookLogRepository,
    private readonly replays: WebhookReplayRepository,
    private readonly cursorKeys: CursorKeys,
  ) {}

  @Route('GET /webhooks/events', {
    reads: { by: 'page', parameter: 'limit', rows: 500, inTurn: true },
    docs: webhookEventDocs.list,
    scope: 'webhooks:read',
    input: ListWebhookEvents,
  })
  async list(
    @CurrentCaller() tenant: Caller,
    @Input() { query }: InputOf<typeof ListWebhookEvents>,
  ) {
    const {
      link_id: linkId,
      webhook_event: webhookEvent,
      status,
      created_after: createdAfter,
      created_before: createdBefore,
      order,
      limit,
    } = query;
    const filter = { linkId, webhookEvent, status, createdAfter, createdBefore };
    const after = readCursor(this.cursorKeys, query.cursor, { tenant, filter, order });
    const { events, position, hasMore } = await this.log
      .list(tenant, { filter, order, after, limit })
      .catch(toApiError);
    return {
      events: events.map(presentWebhookEvent),
      cursor: { next: encodeEventCursor(this.cursorKeys, { tenant, filter, order }, position) },
      has_more: hasMore,
    };
  }

  @Route('GET /webhooks/events/:id', {
    reads: { by: 'stored', rows: '100 deliveries with 20 attempts each', inTurn: true },
    docs: webhookEventDocs.show,
    scope: 'webhooks:read',
  })
  async show(@CurrentCaller() caller: Caller, @Param('id') eventId: string) {
    const found = await this.log.get(caller, eventId);
    if (found === null) throw new ApiError('webhook_error.not_found');
    return presentWebhookEventInFull(found.event, found.deliveries);
  }

  @Route('POST /webhooks/events/:id/replay', {
    docs: webhookEventDocs.replay,
    scope: 'webhooks:replay',
  })
  async replay(@CurrentCaller() caller: Caller, @Param('id') eventId: string) {
    const outcome = await this.replays.replay(caller, eventId);
    switch (outcome.kind) {
      case 'replayed':
        return { event_id: eventId, delivery_token: outcome.deliveryId };
      case 'noAddress':
        throw new ApiError('link_error.bad_config', {
          message: 'The link has no webhook address, or its address is disabled.',
        });
      case 'unknown':
        throw new ApiError('webhook_error.not_found');
    }
  }

  @Route('POST /webhooks/events/replay', {
    docs: webhookEventDocs.replayRange,
    scope: 'webhooks:replay',
    input: ReplayWebhookEvents,
  })
  async replayRange(
    @CurrentCaller() caller: Caller,
    @Input() { body }: InputOf<typeof ReplayWebhookEvents>,
  ) {
    const {
      created_after: createdAfter,
      created_before: createdBefore = new Date(),
      link_id: linkId,
      webhook_event: webhookEvent,
      status,
      limit,
      dry_run: dryRun,
    } = body;
    const counts = await this.replays.replayRange(caller, {
      filter: { linkId, webhookEvent, status, createdAfter, createdBefore },
      limit,
      dryRun,
    });
    return { ...counts, dry_run: dryRun };
  }
}

function readCursor(
  keys: CursorKeys,
  cursor: string | undefined,
  query: EventQuery,
): bigint | null {
  if (cursor === undefined || cursor === '') return null;
  const after = decodeEventCursor(keys, cursor, query);
  if (after === null)
    throw validationFailed([
      invalid(
        ['query', 'cursor'],
        'The cursor belongs to another list: filters and order must stay the same.',
      ),
    ]);
  return after;
}

function toApiError(error: unknown): never {
  if (error instanceof EventLogBusy)
    throw new ApiError('api_error.unavailable', { retryAfterSeconds: 1, cause: error });
  throw error;
}
