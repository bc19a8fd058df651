import type { PlaidWebhookName } from '../plaid/webhooks.js';
import type { WebhookContent } from './webhook-bodies.js';

/** What events are called in the log, in either format. */
export type WebhookEventName = WebhookContent['webhook_event'] | PlaidWebhookName;
