import { z } from 'zod';

export const accessToken = z.string();

export const accountIds = z.array(z.string()).min(1);

export const ItemRequest = z.object({ access_token: accessToken });
export type ItemBody = z.output<typeof ItemRequest>;

const REASONS = [
  'FRAUD_FIRST_PARTY',
  'FRAUD_FALSE_IDENTITY',
  'FRAUD_ABUSE',
  'FRAUD_OTHER',
  'CONNECTION_IS_NON_FUNCTIONAL',
  'OTHER',
] as const;
const MAX_NOTE_LENGTH = 512;

/** Source: plaid-compat 6, operation 10. */
export const RemoveItemRequest = ItemRequest.extend({
  reason_code: z.enum(REASONS).optional(),
  reason_note: z.string().max(MAX_NOTE_LENGTH).optional(),
});

export const ExchangeRequest = z.object({ public_token: z.string() });
export type ExchangeBody = z.output<typeof ExchangeRequest>;

/** A request without `webhook` clears the address. Source: plaid-compat 7. */
export const UpdateWebhookRequest = ItemRequest.extend({ webhook: z.string().optional() });
export type UpdateWebhookBody = z.output<typeof UpdateWebhookRequest>;
