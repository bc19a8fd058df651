import { z } from 'zod';
import { ItemRequest } from '../items/item.requests.js';

const LONGEST = 1_000;

/** Source: plaid-compat 7. */
export const GetVerificationKeyRequest = z.object({ key_id: z.string().max(LONGEST) });
export type GetVerificationKeyBody = z.output<typeof GetVerificationKeyRequest>;

export const FireWebhookRequest = ItemRequest.extend({
  webhook_code: z.string().max(LONGEST),
  webhook_type: z.string().max(LONGEST).optional(),
});
export type FireWebhookBody = z.output<typeof FireWebhookRequest>;
