import type { ItemWebhook } from './webhooks.js';

/** plaid-compat 8.1: the time before a permission's end at which its client is notified. */
export const NOTICE_MS = 7 * 86_400_000;

/** plaid-compat 8.1, ITEM: in other countries the permission is a consent under UK or EU law, which expires. */
const DISCONNECTING_COUNTRIES: readonly string[] = ['US', 'CA'];

/** The notice that a permission will end, by the country of the institution. */
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
