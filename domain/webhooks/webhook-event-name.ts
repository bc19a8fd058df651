import type { PlaidWebhookName } from '../plaid/webhooks.js';
import type { WebhookContent } from './webhook-bodies.js';

/** The names of events in the log, in either format. */
export type WebhookEventName = WebhookContent['webhook_event'] | PlaidWebhookName;
