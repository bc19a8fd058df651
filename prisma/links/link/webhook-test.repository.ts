import type { Tenant } from '../../../domain/api/environment.js';
import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import {
  testContent,
  type TestedLink,
  type WebhookContent,
} from '../../../domain/webhooks/webhook-bodies.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { permittedLinks } from '../../tenants/applications/permitted-rows.js';
import { lockLink } from './link-transition.js';
import {
  recordWebhookEvent,
  type LinkRow,
} from '../../announcements/events/record-webhook-event.js';
import { takeRoom } from '../../tenants/usage/app-use.js';
import { clockOf } from '../../worlds/world-clock.js';

const DAY_MS = 86_400_000;

export type TestEventOutcome =
  | { kind: 'sent'; deliveryId: string }
  /** The link has no address, or a disabled one. */
  | { kind: 'noAddress' }
  | { kind: 'deleted' }
  | { kind: 'unknown' };

export interface TestEvent {
  webhookEvent: WebhookContent['webhook_event'];
  idempotencyKey: string;
}

/** Events that announce no change. Source: webhooks 10. */
export class WebhookTestRepository {
  constructor(private readonly ctx: Context) {}

  /** Records an event about the link in its current state; the link itself does not change. @throws BoundReached */
  async record(
    tenant: Tenant,
    linkId: string,
    { webhookEvent, idempotencyKey }: TestEvent,
  ): Promise<TestEventOutcome> {
    return this.ctx.database.transaction(async (tx) => {
      const found = await tx.link.findFirst({
        where: { AND: [{ linkId }, permittedLinks(tenant)] },
        select: { pk: true },
      });
      if (found === null) return { kind: 'unknown' };
      const link = await lockLink(tx, found.pk);
      if (link.state === 'deleted') return { kind: 'deleted' };
      if (
        link.webhook === null ||
        link.webhookDisabledAt !== null ||
        link.webhookFormat !== 'native'
      )
        return { kind: 'noAddress' };
      takeRoom(this.ctx, tx, tenant, { test_events: 1 });
      const { deliveryId } = await recordWebhookEvent(
        this.ctx,
        tx,
        link,
        testContent(webhookEvent, await this.tested(tx, link)),
        { origin: 'test', idempotencyKey },
      );
      return { kind: 'sent', deliveryId };
    });
  }

  private async tested(tx: Tx, link: LinkRow): Promise<TestedLink> {
    const transactions = await tx.linkProduct.findUnique({
      where: { linkPk_product: { linkPk: link.pk, product: 'transactions' } },
      select: { hasHistory: true },
    });
    const now = await clockOf(this.ctx, tx, link);
    const [firstNoticeMs = DAY_MS] = this.ctx.permissionNoticesMs;
    return {
      state: link.state as LinkState,
      error: link.errorCode as LinkError | null,
      errorMessage: link.errorMessage,
      now,
      hasHistory: transactions?.hasHistory ?? false,
      permissionEndsAt: link.permissionEndsAt ?? new Date(now.getTime() + firstNoticeMs),
    };
  }
}
