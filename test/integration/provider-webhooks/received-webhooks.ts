import { MockActivityEnvironment } from '@temporalio/testing';
import {
  createProviderWebhookActivities,
  type WebhookOutcome,
} from '../../../activities/provider-webhooks/provider-webhook-activities.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { keptHeaders } from '../../../domain/provider-webhooks/kept-headers.js';
import type { Context } from '../../../prisma/base/context.js';
import { ProviderWebhookInbox } from '../../../prisma/work/provider-webhooks/provider-webhook-inbox.js';
import { ProviderWebhookRepository } from '../../../prisma/work/provider-webhooks/provider-webhook.repository.js';
import type { ReceivedWebhook } from '../../../prisma/work/provider-webhooks/sealed-webhook.js';
import { refreshSteps } from '../../support/fixtures/refresh-steps.js';
import type { Provider } from '../../../providers/contract/provider.js';
import { SignedWebhooks } from '../../support/fixtures/signed-webhooks.js';

export const TRIAL = { provider: 'trial', environment: 'sandbox' } as const;

/** Receives webhooks of the configuration `trial` and does the work of its workflow. */
export class ReceivedWebhooks {
  readonly source = new SignedWebhooks();
  readonly outcomes: WebhookOutcome[] = [];
  readonly inbox: ProviderWebhookInbox;
  readonly webhooks: ProviderWebhookRepository;
  private readonly activities;

  constructor(readonly ctx: Context) {
    this.inbox = new ProviderWebhookInbox(ctx);
    this.webhooks = new ProviderWebhookRepository(ctx, refreshSteps(ctx));
    const provider = { name: 'trial', readWebhook: this.source.read } as Partial<Provider>;
    this.activities = createProviderWebhookActivities({
      webhooks: this.webhooks,
      providers: { get: () => provider as Provider },
      observe: (outcome) => this.outcomes.push(outcome),
    });
  }

  /** The id of its row, or of an equal one if it is a duplicate. */
  async receive({ headers, body }: ReceivedWebhook, sender = TRIAL): Promise<string> {
    await this.inbox.receive(sender, { headers: keptHeaders(headers), body });
    const row = await this.ctx.database.prisma.providerWebhook.findFirstOrThrow({
      where: { provider: sender.provider },
      orderBy: [{ receivedAt: 'desc' }, { createdAt: 'desc' }],
    });
    return row.webhookId;
  }

  /** @throws ProviderFailure if reading fails */
  async read(webhookId: string): Promise<void> {
    await new MockActivityEnvironment().run(this.activities.readProviderWebhook, {
      webhookId,
      provider: 'trial',
    });
  }

  apply(webhookId: string): Promise<void> {
    return this.activities.applyProviderWebhook({ webhookId });
  }

  /** Receives, reads and applies it; returns its row. */
  async deliver(webhook: ReceivedWebhook) {
    const webhookId = await this.receive(webhook);
    await this.read(webhookId);
    await this.apply(webhookId);
    return this.row(webhookId);
  }

  row(webhookId: string) {
    return this.ctx.database.prisma.providerWebhook.findUnique({ where: { webhookId } });
  }

  /** True if anything sealed under its key can still be opened. */
  async hasKey(webhookId: string): Promise<boolean> {
    const where = { owner: `provider-webhook/${webhookId}` };
    return (await this.ctx.database.prisma.dataKey.count({ where })) > 0;
  }
}

export const sourceAway = () => new ProviderFailure('provider_down', 'away');
