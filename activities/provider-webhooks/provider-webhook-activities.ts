import type {
  ProviderWebhookRepository,
  WebhookRefusal,
} from '../../prisma/provider-webhooks/provider-webhook.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';

/** The row of a webhook, and who sent it. */
export interface WebhookToRead {
  webhookId: string;
  provider: string;
}

/** What became of a webhook. */
export type WebhookOutcome = 'applied' | WebhookRefusal;

export interface ProviderWebhookDeps {
  webhooks: Pick<ProviderWebhookRepository, 'open' | 'keepMeaning' | 'refuse' | 'apply'>;
  providers: Pick<ProviderRegistry, 'get'>;
  /** Called once for each webhook. */
  observe: (outcome: WebhookOutcome) => void;
}

/** Reads webhooks of sources, and applies what they mean. All are idempotent. */
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
     * Verifies it and stores what it means; a refused one ends here. What was received and what it
     * means stay in the row, out of the history.
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

    /** Does nothing to a webhook that was refused, or has been applied. */
    async applyProviderWebhook({ webhookId }: Pick<WebhookToRead, 'webhookId'>): Promise<void> {
      if (await webhooks.apply(webhookId)) observe('applied');
    },

    /** Its adapter cannot read it: ends it, or it would be read forever. */
    async giveUpProviderWebhook({ webhookId }: Pick<WebhookToRead, 'webhookId'>): Promise<void> {
      await refuse(webhookId, 'failed');
    },
  };
}

export type ProviderWebhookActivities = ReturnType<typeof createProviderWebhookActivities>;
