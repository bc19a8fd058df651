import { z } from 'zod';
import { accountIds, ItemRequest } from '../items/item.requests.js';

/** Source: plaid-compat 6, operations 3, 4, 5 and 11. */
export const AccountsRequest = ItemRequest.extend({
  options: z.object({ account_ids: accountIds.optional() }).prefault({}),
});
export type AccountsBody = z.output<typeof AccountsRequest>;
