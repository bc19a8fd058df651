import { Controller, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError, invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import { maxListenersOf } from '../../../../domain/webhooks/listener-limits.js';
import { presentListener } from '../../../../domain/webhooks/present-listener.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { ListenedReportRepository } from '../../../../prisma/announcements/webhook-listeners/listened-report.repository.js';
import {
  WebhookListenerRepository,
  type ListenerRecord,
} from '../../../../prisma/announcements/webhook-listeners/webhook-listener.repository.js';
import { listFingerprint } from '../http/list-fingerprint.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { decodePosition } from '../webhooks/log-position.js';
import { AwaitDeliveries } from './await-deliveries.js';
import { DeliveryEnvelopes } from './delivery-envelopes.js';
import { ListenerAccess } from './listener-access.js';
import { webhookListenerDocs } from './webhook-listeners.docs.js';
import {
  CreateListener,
  ListListenedDeliveries,
  ReportListenedDelivery,
} from './webhook-listeners.requests.js';

const RETRY_SECONDS = 60;

/** Listeners: programs that receive copies of webhooks through calls. Source: webhooks 13. */
@Controller()
export class WebhookListenersController {
  constructor(
    private readonly access: ListenerAccess,
    private readonly listeners: WebhookListenerRepository,
    private readonly deliveries: AwaitDeliveries,
    private readonly envelopes: DeliveryEnvelopes,
    private readonly reports: ListenedReportRepository,
    private readonly cursorKeys: CursorKeys,
  ) {}

  @Route('POST /webhooks/listeners', {
    docs: webhookListenerDocs.create,
    scope: 'webhooks:listen',
    input: CreateListener,
  })
  async create(@CurrentCaller() caller: Caller, @Input() { body }: InputOf<typeof CreateListener>) {
    await this.access.requireAllowed(caller);
    const { webhook_events: webhookEvents, link_id: linkId, since } = body;
    const listener = await this.listeners.create(caller, { webhookEvents, linkId, since });
    if (listener === null)
      throw new ApiError('api_error.rate_limit_exceeded', {
        message: `${caller.share === undefined ? 'An app' : 'This key pair'} may have ${maxListenersOf(caller)} listeners in an environment. Each ends a minute after its last call.`,
        retryAfterSeconds: RETRY_SECONDS,
      });
    return presentListener(listener);
  }

  @Route('GET /webhooks/listeners/:id/deliveries', {
    reads: { by: 'page', parameter: 'limit', rows: 100, waits: 25 },
    docs: webhookListenerDocs.listDeliveries,
    scope: 'webhooks:listen',
    input: ListListenedDeliveries,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') listenerId: string,
    @Input() { query }: InputOf<typeof ListListenedDeliveries>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const reader = listFingerprint(caller, [listenerId]);
    const after = this.readCursor(reader, query.after);
    const listener = await this.access.called(caller, listenerId);
    const page = await this.deliveries.page(caller, listener, {
      after: startOf(listener, after),
      limit: query.limit,
      waitSeconds: query.wait,
      authorization: request.headers.authorization,
      gone: gone.signal,
    });
    return this.envelopes.present(reader, page);
  }

  @Route('POST /webhooks/listeners/:id/deliveries/:token', {
    docs: webhookListenerDocs.report,
    scope: 'webhooks:listen',
    input: ReportListenedDelivery,
  })
  async report(
    @CurrentCaller() caller: Caller,
    @Param('id') listenerId: string,
    @Param('token') deliveryId: string,
    @Input() { body }: InputOf<typeof ReportListenedDelivery>,
  ) {
    await this.access.called(caller, listenerId);
    const status = await this.reports.record(
      caller,
      { listenerId, deliveryId },
      {
        eventId: body.event_id,
        attempt: body.attempt,
        httpStatus: body.http_status,
        error: body.error,
        durationMs: body.duration_ms,
        responseExcerpt: body.response_excerpt,
      },
    );
    if (status === null)
      throw new ApiError('webhook_error.not_found', {
        message: 'The listener has no such delivery of this event.',
      });
    return { delivery_token: deliveryId, event_id: body.event_id, status };
  }

  private readCursor(reader: string, cursor: string | undefined): bigint | null {
    if (cursor === undefined || cursor === '') return null;
    const after = decodePosition(this.cursorKeys, reader, cursor);
    if (after === null)
      throw validationFailed([
        invalid(['query', 'after'], 'The cursor belongs to another listener.'),
      ]);
    return after;
  }
}

function startOf({ startsAfter }: ListenerRecord, after: bigint | null): bigint {
  return after === null || after < startsAfter ? startsAfter : after;
}
