import { randomBytes, randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createLocalJWKSet } from 'jose';
import type { DeliveryEnd } from '../../../activities/webhooks/webhook-activities.js';
import type { ResolveName } from '../../../apps/platform/src/addresses/resolve-target.js';
import { addressRanges } from '../../../apps/platform/src/config/setting-parsers.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { createSender, type Sender } from '../../../apps/webhooks/src/create-sender.js';
import type { Relay } from '../../../apps/webhooks/src/relay.js';
import type { RetryStarter } from '../../../apps/webhooks/src/retry-starter.js';
import { createWebhookParts } from '../../../apps/worker/src/parts/webhook-parts.js';
import { parseDuration } from '../../../apps/platform/src/config/duration.js';
import type { Environment } from '../../../domain/api/environment.js';
import { makeId } from '../../../domain/api/ids.js';
import type { WebhookAttemptFacts } from '../../../domain/webhooks/present-webhook-event.js';
import type { WebhookContent } from '../../../domain/webhooks/webhook-bodies.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import { createContext, type Context } from '../../../prisma/base/context.js';
import type { WebhookDelivery } from '../../../prisma/generated/client.js';
import {
  recordWebhookEvent,
  type LinkRow,
} from '../../../prisma/announcements/events/record-webhook-event.js';
import { SigningKeys } from '../../../prisma/base/keys/signing-key.repository.js';
import { RetryStartRepository } from '../../../prisma/announcements/webhooks/retry-start.repository.js';
import { WebhookClaimRepository } from '../../../prisma/announcements/webhooks/webhook-claim.repository.js';
import { WebhookOutcomeRepository } from '../../../prisma/announcements/webhooks/webhook-outcome.repository.js';
import { attemptsIn } from '../../../prisma/announcements/webhooks/attempt-history.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import {
  openDatabaseAt,
  openOwnDatabase,
  type OpenDatabase,
} from '../../support/fixtures/test-databases.js';
import { BANK, type ApiInProcess, type AppId } from '../../support/services/api-in-process.js';
import { createVerifier, type VerifyWebhook } from '../../support/receivers/webhook-receiver.js';

export const BASE_URL = 'https://api.example.test';
export const DEFAULT_SCHEDULE = '0s,5s,30s,2m,10m,30m,1h,2h,5h,10h,24h'
  .split(',')
  .map(parseDuration);
export const PLAID_SCHEDULE = '0s,30s,150s,630s,2550s,10230s,40950s'.split(',').map(parseDuration);
export const CONNECTED: WebhookContent = {
  webhook_event: 'link.state_changed',
  state: 'connected',
  error: null,
  error_message: null,
};

export interface ServiceOptions {
  attemptsPerApp?: number;
  retryStarts?: number;
  retryStartsPerEndpoint?: number;
  allowed?: string;
  timeoutMs?: number;
  headerPrefix?: string;
  pollMs?: number;
  attemptsAtMs?: readonly number[];
  resolve?: ResolveName;
  trustedCertificates?: string;
  baseUrl?: string;
  /** The database of another service, which has prepared it. */
  join?: { url: string; masterKey: string };
  /** Instead of a database of its own. */
  opened?: OpenDatabase;
}

/**
 * The result of one run of the activity: an end, or the failure that contains the time of the next
 * run for Temporal.
 */
export type AttemptResult =
  | { end: DeliveryEnd }
  | { failure: string; message: string; retryInMs: number };

export type StoredDelivery = Omit<WebhookDelivery, 'history'> & { history: WebhookAttemptFacts[] };

function toStored(delivery: WebhookDelivery): StoredDelivery {
  return { ...delivery, history: attemptsIn(delivery.history) };
}

function openParts(options: Parameters<typeof createSender>[0]) {
  const sender: Sender = createSender(options);
  const worker = createWebhookParts(options);
  return {
    sender,
    claims: new WebhookClaimRepository(options.ctx),
    outcomes: new WebhookOutcomeRepository(options.ctx),
    starts: new RetryStartRepository(options.ctx),
    keys: new SigningKeys(options.ctx),
    deliveries: worker.deliveries,
    activities: worker.activities,
    close: async () => {
      await Promise.all([sender.close(), worker.close()]);
    },
  };
}

/**
 * The sending side on a database of its own, with a clock that can be advanced. Nothing runs until
 * a test starts it.
 */
export class WebhookService {
  readonly relay: Relay;
  readonly retries: RetryStarter;

  private constructor(
    readonly ctx: Context,
    readonly parts: ReturnType<typeof openParts>,
    private readonly logLines: string[],
    private readonly drop: () => Promise<void>,
    private readonly advanceBy: (ms: number) => void,
    /** Lets another process join. */
    readonly address: { url: string; masterKey: string },
  ) {
    this.relay = parts.sender.relay;
    this.retries = parts.sender.retries;
  }

  static async open(options: ServiceOptions = {}): Promise<WebhookService> {
    const masterKey = options.join?.masterKey ?? randomBytes(32).toString('base64');
    const { url, database, close } =
      options.opened ??
      (options.join === undefined ? await openOwnDatabase() : openDatabaseAt(options.join.url));
    let offset = 0;
    const ctx = createContext(
      database,
      new Sealer([{ id: 'test', key: Buffer.from(masterKey, 'base64') }]),
      { clock: () => new Date(Date.now() + offset) },
    );
    const lines: string[] = [];
    const parts = openParts({
      ctx,
      settings: {
        baseUrl: options.baseUrl ?? BASE_URL,
        headerPrefix: options.headerPrefix ?? 'service',
        webhookTimeout: options.timeoutMs ?? 5_000,
        webhookAttemptsAt: options.attemptsAtMs ?? DEFAULT_SCHEDULE,
        compatWebhookAttemptsAt: PLAID_SCHEDULE,
        webhookAttemptsPerApp: options.attemptsPerApp ?? 200,
        webhookRetryStarts: options.retryStarts ?? 50,
        webhookRetryStartsPerEndpoint: options.retryStartsPerEndpoint ?? 20,
        webhookAllowedPrivateRanges: addressRanges(options.allowed ?? '127.0.0.0/8'),
        webhookRefusedRanges: [],
      },
      logger: createLogger({
        name: 'test',
        level: 'debug',
        format: 'json',
        destination: { write: (line: string) => void lines.push(line) },
      }),
      chance: Math.random,
      resolve: options.resolve,
      trustedCertificates: options.trustedCertificates,
      pollMs: options.pollMs,
    });
    await parts.keys.ensure();
    if (options.join === undefined)
      await database.prisma.application.create({
        data: {
          appId: 'pocket-ledger',
          name: 'Pocket Ledger',
          clients: {
            create: { clientId: 'sandbox_pocket-ledger', environment: 'sandbox' },
          },
        },
      });
    const drop = async (): Promise<void> => {
      await parts.close();
      await close();
    };
    return new WebhookService(ctx, parts, lines, drop, (ms) => (offset += ms), {
      url,
      masterKey,
    });
  }

  /** Sends the webhooks of an API. */
  static over({ environment }: ApiInProcess, baseUrl?: string): Promise<WebhookService> {
    const { DATABASE_URL: url = '', MASTER_KEYS: keys = '' } = environment;
    const masterKey = keys.replace('test:', '');
    return WebhookService.open({ join: { url, masterKey }, ...(baseUrl ? { baseUrl } : {}) });
  }

  get log(): Record<string, unknown>[] {
    return this.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The customer's code over the keys published now. */
  async verifier(): Promise<VerifyWebhook> {
    const keys = createLocalJWKSet(await this.parts.keys.publishedSet());
    return (rawBody, signature) =>
      createVerifier(BASE_URL, keys)(rawBody, signature, this.ctx.clock());
  }

  addLink(
    webhook: string | null,
    state = 'connected',
    webhookFormat: WebhookFormat = 'native',
  ): Promise<LinkRow> {
    return createLink(this, { webhook, state, webhookFormat, tags: ['tier:gold'] });
  }

  /** Writes an event as a change of the link does. @returns the delivery */
  async record({ pk }: LinkRow, content: WebhookContent = CONNECTED): Promise<StoredDelivery> {
    const { ctx } = this;
    const linkId = await ctx.database.transaction(async (tx) => {
      const link = await tx.link.findUniqueOrThrow({ where: { pk } });
      await recordWebhookEvent(ctx, tx, link, content);
      return link.linkId;
    });
    return toStored(
      await ctx.database.prisma.webhookDelivery.findFirstOrThrow({
        where: { event: { linkId } },
        orderBy: { pk: 'desc' },
      }),
    );
  }

  async delivery({ deliveryId }: { deliveryId: string }): Promise<StoredDelivery> {
    return toStored(
      await this.ctx.database.prisma.webhookDelivery.findUniqueOrThrow({ where: { deliveryId } }),
    );
  }

  async isLeased({ pk }: { pk: bigint }): Promise<boolean> {
    return (await this.ctx.database.prisma.webhookLease.count({ where: { deliveryPk: pk } })) > 0;
  }

  async link({ pk }: { pk: bigint }): Promise<LinkRow> {
    return this.ctx.database.prisma.link.findUniqueOrThrow({ where: { pk } });
  }

  /** Deliveries that an earlier test left open count at its endpoint. */
  async endOpenDeliveries(): Promise<void> {
    await this.ctx.database.prisma.webhookDelivery.updateMany({
      where: { status: 'pending' },
      data: { status: 'exhausted', nextAttemptAt: null },
    });
  }

  /**
   * The requests of the retry starter in one round without limits. It does not run by itself here.
   */
  async startRetries(): Promise<void> {
    await this.parts.starts.start({ limit: 1_000, perEndpoint: 1_000 });
  }

  async queuedWorkflows(): Promise<string[]> {
    const rows = await this.ctx.database.prisma.outboxCommand.findMany({
      where: { kind: 'startWebhookDelivery' },
      orderBy: { pk: 'asc' },
    });
    return rows.map(({ payload }) => String((payload as { deliveryId: string }).deliveryId));
  }

  /** Runs the activity once, as Temporal does. */
  async attempt({ deliveryId }: { deliveryId: string }): Promise<AttemptResult> {
    try {
      return {
        end: await new MockActivityEnvironment().run(this.parts.activities.attemptDelivery, {
          deliveryId,
        }),
      };
    } catch (error) {
      const { type, message, nextRetryDelay } = error as {
        type: string;
        message: string;
        nextRetryDelay: number;
      };
      if (type === undefined) throw error;
      return { failure: type, message, retryInMs: Number(nextRetryDelay) };
    }
  }

  /** Makes one attempt, after advancing the clock to the planned time. */
  async attemptWhenDue(delivery: { deliveryId: string }): Promise<AttemptResult> {
    const { nextAttemptAt } = await this.delivery(delivery);
    if (nextAttemptAt !== null)
      this.advance(Math.max(0, nextAttemptAt.getTime() - this.ctx.clock().getTime()));
    return this.attempt(delivery);
  }

  /** Makes every attempt at its planned time, until no delivery is open. */
  async sendAll(): Promise<void> {
    for (;;) {
      const next = await this.ctx.database.prisma.webhookDelivery.findFirst({
        where: { status: 'pending' },
        orderBy: [{ nextAttemptAt: 'asc' }, { pk: 'asc' }],
      });
      if (next?.nextAttemptAt == null) return;
      await this.attemptWhenDue(next);
    }
  }

  advance(ms: number): void {
    this.advanceBy(ms);
  }

  async close(): Promise<void> {
    await Promise.all([this.relay.stop(0), this.retries.stop()]);
    await this.drop();
  }
}

interface LinkOptions {
  appId?: AppId;
  environment?: Environment;
  webhook?: string | null;
  webhookFormat?: WebhookFormat;
  tags?: string[];
  state?: string;
}

/** A Sandbox link, stored without a journey. @returns its id */
export const storeLink = async (service: { ctx: Context }, options: LinkOptions = {}) =>
  (await createLink(service, options)).linkId;

async function createLink(
  { ctx }: { ctx: Context },
  {
    appId = 'pocket-ledger',
    environment = 'sandbox',
    webhook = null,
    webhookFormat = 'native',
    tags = [],
    state = 'connected',
  }: LinkOptions,
): Promise<LinkRow> {
  const { prisma } = ctx.database;
  const user = await prisma.customerUser.create({
    data: { appId, environment, userId: randomUUID() },
  });
  return prisma.link.create({
    data: {
      linkId: makeId('link', ctx.random),
      appId,
      environment,
      clientId: `${environment}_${appId}`,
      customerUserPk: user.pk,
      institutionId: BANK,
      provider: 'sandbox',
      state,
      tags,
      webhook,
      webhookFormat,
      connectedAt: ctx.clock(),
    },
  });
}
