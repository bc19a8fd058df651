import type { WebhookFormat } from '../../../../domain/webhooks/webhook-format.js';
import type { PlaidWebhookKeys } from '../../../../prisma/views/plaid/plaid-webhook-keys.js';
import type { SigningKeys } from '../../../../prisma/base/keys/signing-key.repository.js';
import type { DueDelivery } from '../../../../prisma/announcements/webhooks/due-delivery.js';
import { signPlaidWebhook, signWebhook, type SignedBytes } from './sign-webhook.js';

/** The attempt that an envelope belongs to. */
export type EnvelopedDelivery = Pick<
  DueDelivery,
  'deliveryId' | 'attempt' | 'idempotencyKey' | 'appId' | 'environment'
>;

/** The headers of one attempt, signed with the key that is current now. */
export type Envelope = (
  delivery: EnvelopedDelivery,
  body: SignedBytes,
  at: Date,
) => Promise<Record<string, string>>;

export interface EnvelopeOptions {
  /** BASE_URL without trailing slash. */
  issuer: string;
  headerPrefix: string;
  keys: Pick<SigningKeys, 'current'>;
  plaidKeys: Pick<PlaidWebhookKeys, 'current'>;
}

export function createEnvelopes({
  issuer,
  headerPrefix,
  keys,
  plaidKeys,
}: EnvelopeOptions): Record<WebhookFormat, Envelope> {
  const names = {
    signature: `${headerPrefix}-signature`,
    token: `${headerPrefix}-delivery-token`,
    attempt: `${headerPrefix}-delivery-attempt`,
  };
  const userAgent = `${headerPrefix}-webhooks/1`;
  return {
    // webhooks 3: every attempt sends the same body; only signature and attempt number differ.
    native: async (delivery, body, at) => ({
      [names.signature]: signWebhook({ ...delivery, body, at }, await keys.current(), issuer),
      [names.token]: delivery.deliveryId,
      [names.attempt]: String(delivery.attempt),
      'content-type': 'application/json; charset=utf-8',
      'user-agent': userAgent,
    }),
    // plaid-compat 8.2: signed again on every attempt.
    plaid: async ({ environment }, body, at) => ({
      'plaid-verification': signPlaidWebhook({ body, at }, await plaidKeys.current(environment)),
      'content-type': 'application/json',
      'user-agent': userAgent,
    }),
  };
}
