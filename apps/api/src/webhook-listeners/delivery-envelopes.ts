import { Inject, Injectable } from '@nestjs/common';
import { apiTimestamp } from '../../../../domain/api/timestamps.js';
import type { WebhookFormat } from '../../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../../../prisma/base/context.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { SigningKeys } from '../../../../prisma/base/keys/signing-key.repository.js';
import { PlaidWebhookKeys } from '../../../../prisma/views/plaid/plaid-webhook-keys.js';
import type {
  ListenedEvent,
  ListenedPage,
} from '../../../../prisma/announcements/webhook-listeners/listened-events.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';
import {
  createEnvelopes,
  type Envelope,
} from '../../../platform/src/envelopes/webhook-envelope.js';
import { encodePosition } from '../webhooks/log-position.js';

/** The requests that a listener makes at its receiver: those of the sender, signed now. Source: webhooks 13. */
@Injectable()
export class DeliveryEnvelopes {
  private readonly envelopes: Record<WebhookFormat, Envelope>;

  constructor(
    @Inject(SETTINGS) { baseUrl, headerPrefix }: ApiSettings,
    @Inject(DATABASE_CONTEXT) private readonly ctx: Context,
    keys: SigningKeys,
    private readonly cursorKeys: CursorKeys,
    plaidKeys: PlaidWebhookKeys,
  ) {
    this.envelopes = createEnvelopes({ issuer: baseUrl, headerPrefix, keys, plaidKeys });
  }

  /** @param reader the fingerprint of the listener, for its cursors */
  async present(reader: string, { events, position, hasMore }: ListenedPage) {
    return {
      deliveries: await Promise.all(events.map((event) => this.presentDelivery(reader, event))),
      cursor: { next: encodePosition(this.cursorKeys, reader, position) },
      has_more: hasMore,
    };
  }

  private async presentDelivery(reader: string, event: ListenedEvent) {
    const { deliveryId, eventId, webhookEvent, linkId, createdAt, attempt, format, body } = event;
    const headers = await this.envelopes[format](event, Buffer.from(body), this.ctx.clock());
    return {
      delivery_token: deliveryId,
      event_id: eventId,
      webhook_event: webhookEvent,
      link_id: linkId,
      created_at: apiTimestamp(createdAt),
      attempt,
      headers,
      body,
      cursor: encodePosition(this.cursorKeys, reader, event.position),
    };
  }
}
