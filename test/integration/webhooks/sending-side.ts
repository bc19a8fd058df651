import type { Environment } from '../../../domain/api/environment.js';
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { addressRanges } from '../../../apps/platform/src/config/setting-parsers.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { createSender, type Sender } from '../../../apps/webhooks/src/create-sender.js';
import type { Relay } from '../../../apps/webhooks/src/relay.js';
import {
  createWebhookParts,
  type WebhookParts,
} from '../../../apps/worker/src/parts/webhook-parts.js';
import { makeId } from '../../../domain/api/ids.js';
import { createContext, type Context } from '../../../prisma/base/context.js';
import { SigningKeys } from '../../../prisma/base/keys/signing-key.repository.js';
import { WebhookClaimRepository } from '../../../prisma/announcements/webhooks/webhook-claim.repository.js';
import { WebhookOutcomeRepository } from '../../../prisma/announcements/webhooks/webhook-outcome.repository.js';
import { BANK, type ApiInProcess, type AppId } from '../../support/services/api-in-process.js';
import { DEFAULT_SCHEDULE, PLAID_SCHEDULE } from './webhook-service.js';

export const ISSUER = 'https://api.example.test';

/**
 * The worker's sending parts, over the database of an API, with a clock that can be advanced.
 * Nothing is sent until a test starts it.
 */
export class SendingSide {
  private offset = 0;
  readonly ctx: Context;
  readonly parts: WebhookParts;
  readonly sender: Sender;
  readonly relay: Relay;
  readonly keys: SigningKeys;
  readonly claims: WebhookClaimRepository;
  readonly outcomes: WebhookOutcomeRepository;

  private constructor(
    private readonly service: ApiInProcess,
    baseUrl: string,
  ) {
    this.ctx = createContext(service.database, service.ctx.sealer, {
      clock: () => new Date(Date.now() + this.offset),
    });
    const options = {
      ctx: this.ctx,
      settings: {
        baseUrl,
        headerPrefix: 'service',
        webhookTimeout: 5_000,
        webhookAttemptsAt: DEFAULT_SCHEDULE,
        compatWebhookAttemptsAt: PLAID_SCHEDULE,
        webhookAttemptsPerApp: 200,
        webhookRetryStarts: 50,
        webhookRetryStartsPerEndpoint: 20,
        webhookAllowedPrivateRanges: addressRanges('127.0.0.0/8'),
        webhookRefusedRanges: [],
      },
      logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
      chance: Math.random,
    };
    this.parts = createWebhookParts(options);
    this.sender = createSender(options);
    this.relay = this.sender.relay;
    this.keys = new SigningKeys(this.ctx);
    this.claims = new WebhookClaimRepository(this.ctx);
    this.outcomes = new WebhookOutcomeRepository(this.ctx);
  }

  static async over(service: ApiInProcess, baseUrl = ISSUER): Promise<SendingSide> {
    const side = new SendingSide(service, baseUrl);
    await side.keys.ensure();
    return side;
  }

  advance(ms: number): void {
    this.offset += ms;
  }

  /** Makes every attempt at its planned time, until no delivery is open. */
  async sendAll(): Promise<void> {
    for (;;) {
      const next = await this.service.database.prisma.webhookDelivery.findFirst({
        where: { status: 'pending' },
        orderBy: [{ nextAttemptAt: 'asc' }, { pk: 'asc' }],
      });
      if (next?.nextAttemptAt == null) return;
      await this.attempt(next.deliveryId, next.nextAttemptAt);
    }
  }

  /** Makes one attempt of a delivery, after advancing the clock to its time. */
  async attempt(deliveryId: string, at: Date): Promise<void> {
    this.advance(Math.max(0, at.getTime() - this.ctx.clock().getTime()));
    // Both its failure and the row contain the time of the next attempt.
    await new MockActivityEnvironment()
      .run(this.parts.activities.attemptDelivery, { deliveryId })
      .catch((error: unknown) => {
        if ((error as { type?: string }).type === undefined) throw error;
      });
  }

  async close(): Promise<void> {
    await this.relay.stop(1_000);
    await Promise.all([this.parts.close(), this.sender.close()]);
  }
}

/** A connected Sandbox link, stored without a journey. */
export async function storeLink(
  { ctx, database: { prisma } }: ApiInProcess,
  {
    appId = 'pocket-ledger',
    webhook = null,
    tags = [],
    environment = 'sandbox',
  }: { appId?: AppId; webhook?: string | null; tags?: string[]; environment?: Environment } = {},
): Promise<string> {
  const user = await prisma.customerUser.create({
    data: { appId, environment, userId: randomUUID() },
  });
  const { linkId } = await prisma.link.create({
    data: {
      linkId: makeId('link', ctx.random),
      appId,
      environment,
      clientId: `${environment}_${appId}`,
      customerUserPk: user.pk,
      institutionId: BANK,
      provider: 'sandbox',
      state: 'connected',
      tags,
      webhook,
      connectedAt: ctx.clock(),
    },
  });
  return linkId;
}
