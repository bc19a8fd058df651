import { z } from 'zod';
import { ItemRequest } from '../items/item.requests.js';

const MAX_LENGTH = 1_000;

/** Source: plaid-compat 7. */
export const GetVerificationKeyRequest = z.object({ key_id: z.string().max(MAX_LENGTH) });
export type GetVerificationKeyBody = z.output<typeof GetVerificationKeyRequest>;

export const FireWebhookRequest = ItemRequest.extend({
  webhook_code: z.string().max(MAX_LENGTH),
  webhook_type: z.string().max(MAX_LENGTH).optional(),
});
export type FireWebhookBody = z.output<typeof FireWebhookRequest>;
