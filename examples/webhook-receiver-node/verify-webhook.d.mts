export class InvalidWebhook extends Error {}

export interface WebhookVerifierOptions {
  /** Address of the service, without a slash at its end. */
  baseUrl: string;
  /** If set, events of other apps are refused. */
  appId?: string;
  /** If set, events of the other environment are refused. */
  environment?: 'sandbox' | 'live';
  /** Returns the JSON of `/.well-known/jwks.json`. */
  fetchKeys?: () => Promise<{ keys: object[] }>;
  /** A clock in milliseconds. */
  now?: () => number;
}

export interface WebhookEvent {
  webhook_event: string;
  webhook_idempotency_key: string;
  link_id: string;
  [field: string]: unknown;
}

export function createWebhookVerifier(
  options: WebhookVerifierOptions,
): (rawBody: Buffer, signature: string | undefined) => Promise<WebhookEvent>;
