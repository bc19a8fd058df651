import type { ApiFormat } from '../../../domain/announcements/api-format.js';
import { PLAID_FORMAT } from '../../../domain/plaid/plaid-format.js';
import { NATIVE_FORMAT } from '../../../domain/webhooks/native-format.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';

/**
 * By `webhook_format`, which is fixed when a session is created and inherited by its link. The only
 * place in the core that names the formats (decision 0024).
 */
export const FORMATS: Readonly<Record<WebhookFormat, ApiFormat>> = {
  native: NATIVE_FORMAT,
  plaid: PLAID_FORMAT,
};

export function formatOf({ webhookFormat }: { webhookFormat: string }): ApiFormat {
  return FORMATS[webhookFormat as WebhookFormat];
}
