import type {
  ProviderWebhookRepository,
  WebhookRefusal,
} from '../../prisma/work/provider-webhooks/provider-webhook.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';

/** The row of a webhook, and its sender. */
export interface WebhookToRead {
  webhookId: string;
  provider: string;
}

/** The outcome of a webhook. */
export type WebhookOutcome = 'applied' | WebhookRefusal;

export interface ProviderWebhookDeps {
  webhooks: Pick<ProviderWebhookRepository, 'open' | 'keepMeaning' | 'refuse' | 'apply'>;
  providers: Pick<ProviderRegistry, 'get'>;
  /** Called once for each webhook. */
  observe: (outcome: WebhookOutcome) => void;
}

/** Reads webhooks of sources and applies their effects. All activities are idempotent. */
export function createProviderWebhookActivities({
  webhooks,
  providers,
  observe,
}: ProviderWebhookDeps) {
  const refuse = async (webhookId: string, refusal: WebhookRefusal) => {
    if (await webhooks.refuse(webhookId, refusal)) observe(refusal);
  };
  return {
    /**
     * Verifies the webhook and stores its meaning; a refused one ends here. Its content and meaning
     * stay in the row, outside the history.
     */
    async readProviderWebhook({ webhookId, provider: name }: WebhookToRead): Promise<void> {
      const provider = providers.get(name);
      await withHeartbeats(async (signal) => {
        const received = await webhooks.open(webhookId);
        if (received === null) return;
        const meaning = await provider.readWebhook?.({ ...received, signal });
        if (meaning === undefined) await refuse(webhookId, 'unsupported');
        else if (meaning.refusal !== null) await refuse(webhookId, meaning.refusal);
        else await webhooks.keepMeaning(webhookId, meaning);
      });
    },

    /** Does nothing if the webhook was refused or already applied. */
    async applyProviderWebhook({ webhookId }: Pick<WebhookToRead, 'webhookId'>): Promise<void> {
      if (await webhooks.apply(webhookId)) observe('applied');
    },

    /** Ends a webhook that its adapter cannot read; otherwise it would be retried forever. */
    async giveUpProviderWebhook({ webhookId }: Pick<WebhookToRead, 'webhookId'>): Promise<void> {
      await refuse(webhookId, 'failed');
    },
  };
}

export type ProviderWebhookActivities = ReturnType<typeof createProviderWebhookActivities>;
