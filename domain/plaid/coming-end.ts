import type { ItemWebhook } from './webhooks.js';

/** plaid-compat 8.1: how long before its end a client is told of it. */
const NOTICE_MS = 7 * 86_400_000;

/** From when on a client is to know that a permission ends then. */
export function noticeDueAt(endsAt: Date): Date {
  return new Date(endsAt.getTime() - NOTICE_MS);
}

/** plaid-compat 8.1, ITEM: elsewhere permission is what the law of the UK and the EU calls a consent, which expires. */
const DISCONNECTING_COUNTRIES: readonly string[] = ['US', 'CA'];

/** What a client is told of the end of a permission to come, by the country of the institution. */
export function comingEndWebhook(country: string, endsAt: Date): ItemWebhook {
  const time = endsAt.toISOString();
  return DISCONNECTING_COUNTRIES.includes(country)
    ? {
        webhook_type: 'ITEM',
        webhook_code: 'PENDING_DISCONNECT',
        reason: 'INSTITUTION_TOKEN_EXPIRATION',
        disconnect_time: time,
      }
    : { webhook_type: 'ITEM', webhook_code: 'PENDING_EXPIRATION', consent_expiration_time: time };
}
