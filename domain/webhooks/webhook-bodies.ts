import type { LinkError, LinkState } from '../link/link-state.js';
import type { Product } from '../link/products.js';
import { webhookTimestamp } from '../api/timestamps.js';

/**
 * The content of an event, without the envelope. Source: webhooks 2.2–2.5. Dates are ISO text so
 * that it can be stored as JSON.
 */
export type WebhookContent =
  | {
      webhook_event: 'link.state_changed';
      state: LinkState;
      error: LinkError | null;
      error_message: string | null;
    }
  | {
      webhook_event: 'link.product_refresh';
      product: Product;
      state: 'completed' | 'failed';
      /** The time at which the product finished, ISO 8601. */
      state_changed_at: string;
      error_message: string | null;
    }
  | { webhook_event: 'transactions.updates_available'; has_history: boolean }
  | {
      webhook_event: 'link.permission_expiring';
      /** ISO 8601. */
      permission_ends_at: string;
    };

export interface WebhookEnvelope {
  idempotencyKey: string;
  timestamp: Date;
  /** Null = a session without a link. */
  linkId: string | null;
  linkTags: readonly string[];
}

/** Source: webhooks 2.1. */
export function commonFields(name: string, envelope: WebhookEnvelope) {
  return {
    webhook_event: name,
    webhook_major_version: 1,
    webhook_minor_version: 0,
    webhook_idempotency_key: envelope.idempotencyKey,
    webhook_timestamp: webhookTimestamp(envelope.timestamp),
    link_id: envelope.linkId,
    link_tags: envelope.linkTags,
  };
}

/** The body of a webhook: these bytes are frozen and signed. Key order as in webhooks 2. */
export function renderWebhookBody(content: WebhookContent, envelope: WebhookEnvelope): string {
  const common = commonFields(content.webhook_event, envelope);
  switch (content.webhook_event) {
    case 'link.state_changed':
      return JSON.stringify({
        ...common,
        state: content.state,
        error: content.error,
        error_message: content.error_message,
      });
    case 'link.product_refresh':
      return JSON.stringify({
        ...common,
        product: content.product,
        state: content.state,
        state_changed_at: webhookTimestamp(new Date(content.state_changed_at)),
        error_message: content.error_message,
      });
    case 'transactions.updates_available':
      return JSON.stringify({ ...common, has_history: content.has_history });
    case 'link.permission_expiring':
      return JSON.stringify({
        ...common,
        permission_ends_at: webhookTimestamp(new Date(content.permission_ends_at)),
      });
  }
}
