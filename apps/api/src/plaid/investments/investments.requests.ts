import { z } from 'zod';
import { accountIds, ItemRequest } from '../items/item.requests.js';
import {
  areInOrder,
  count,
  listedDays,
  NOT_IN_ORDER,
  offset,
} from '../transactions/transactions.requests.js';

/** Source: plaid-compat 6.10. */
export const ListTradesRequest = ItemRequest.extend({
  ...listedDays,
  options: z
    .object({
      account_ids: accountIds.optional(),
      count,
      offset,
      async_update: z.boolean().default(false),
    })
    .prefault({}),
}).refine(areInOrder, NOT_IN_ORDER);
export type ListTradesBody = z.output<typeof ListTradesRequest>;
