export type {
  WebhookEffect,
  WebhookMeaning,
} from '../../domain/provider-webhooks/webhook-meaning.js';

/** A webhook as the source sent it, up to 256 KiB. */
export interface InboundWebhook {
  /** Names in lower case; only those that signatures need (domain/provider-webhooks/kept-headers.ts). */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  receivedAt: Date;
  signal: AbortSignal;
}
