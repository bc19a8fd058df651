import { z } from 'zod';
import { isDay } from '../../../../../domain/api/timestamps.js';
import { MAX_POSITION } from '../../schemas/position.schema.js';
import { accountIds, ItemRequest } from '../items/item.requests.js';

const day = z.string().refine(isDay, 'must be a day, YYYY-MM-DD');
const count = z.number().int().min(1).max(500).default(100);
const daysRequested = z.number().int().min(1).max(730);
const categoryVersion = z.enum(['v1', 'v2']).default('v1');

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
  start_date: day,
  end_date: day,
  options: z
    .object({
      account_ids: accountIds.optional(),
      count,
      offset: z.number().int().min(0).max(MAX_POSITION).default(0),
      include_original_description: z.boolean().default(false),
      days_requested: daysRequested.optional(),
      personal_finance_category_version: categoryVersion,
      include_personal_finance_category: z.boolean().optional(),
      include_logo_and_counterparty_beta: z.boolean().optional(),
    })
    .prefault({}),
}).refine(({ start_date: start, end_date: end }) => start <= end, {
  path: ['start_date'],
  message: 'must not be after end_date',
});
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
