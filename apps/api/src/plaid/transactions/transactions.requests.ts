import { z } from 'zod';
import { isDay } from '../../../../../domain/api/timestamps.js';
import { MAX_POSITION } from '../../schemas/position.schema.js';
import { accountIds, ItemRequest } from '../items/item.requests.js';

const day = z.string().refine(isDay, 'must be a day, YYYY-MM-DD');
export const count = z.number().int().min(1).max(500).default(100);
export const offset = z.number().int().min(0).max(MAX_POSITION).default(0);
/** The days of a list, inclusive. */
export const listedDays = { start_date: day, end_date: day };
const daysRequested = z.number().int().min(1).max(730);
const categoryVersion = z.enum(['v1', 'v2']).default('v1');

export const areInOrder = ({
  start_date: start,
  end_date: end,
}: Record<keyof typeof listedDays, string>) => start <= end;
export const NOT_IN_ORDER = { path: ['start_date'], message: 'must not be after end_date' };

/** Source: plaid-compat 6.3. The handler checks the cursor, because every invalid one has the same error. */
export const SyncRequest = ItemRequest.extend({
  cursor: z.string().optional(),
  count,
  options: z
    .object({
      account_id: z.string().optional(),
      days_requested: daysRequested.optional(),
      include_original_description: z.boolean().default(false),
      personal_finance_category_version: categoryVersion,
      include_personal_finance_category: z.boolean().optional(),
      include_logo_and_counterparty_beta: z.boolean().optional(),
    })
    .prefault({}),
});
export type SyncBody = z.output<typeof SyncRequest>;

/** Source: plaid-compat 6.4. */
export const ListRequest = ItemRequest.extend({
  ...listedDays,
  options: z
    .object({
      account_ids: accountIds.optional(),
      count,
      offset,
      include_original_description: z.boolean().default(false),
      days_requested: daysRequested.optional(),
      personal_finance_category_version: categoryVersion,
      include_personal_finance_category: z.boolean().optional(),
      include_logo_and_counterparty_beta: z.boolean().optional(),
    })
    .prefault({}),
}).refine(areInOrder, NOT_IN_ORDER);
export type ListBody = z.output<typeof ListRequest>;

/** Source: plaid-compat 6.7. */
export const RecurringRequest = ItemRequest.extend({
  account_ids: accountIds.optional(),
  options: z
    .object({
      personal_finance_category_version: categoryVersion,
      include_personal_finance_category: z.boolean().optional(),
    })
    .prefault({}),
});
export type RecurringBody = z.output<typeof RecurringRequest>;
