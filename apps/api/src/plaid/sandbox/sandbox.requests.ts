import { z } from 'zod';
import { isDay } from '../../../../../domain/api/timestamps.js';
import { text } from '../../schemas/text.schema.js';
import { ItemRequest } from '../items/item.requests.js';
import { daysRequested, productNames } from '../link-tokens/link-token.requests.js';

const day = z.string().refine(isDay, 'must be a date, YYYY-MM-DD');

/** Source: plaid-compat 7. */
export const CreatePublicTokenRequest = z.object({
  institution_id: text(1, 200),
  initial_products: productNames.min(1),
  options: z
    .object({
      webhook: text(1, 2_048).optional(),
      override_username: text(1, 100).optional(),
      override_password: text(1, 100).optional(),
      transactions: z
        .object({
          start_date: day.optional(),
          end_date: day.optional(),
          days_requested: daysRequested.optional(),
        })
        .optional(),
    })
    .prefault({}),
});
export type CreatePublicTokenBody = z.output<typeof CreatePublicTokenRequest>;

const created = z.object({
  date_transacted: day,
  date_posted: day,
  amount: z
    .number()
    .min(-1e12)
    .max(1e12)
    .refine((amount) => amount !== 0, 'must not be 0'),
  description: text(1, 500),
  iso_currency_code: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three upper-case letters')
    .default('USD'),
});

/** Source: plaid-compat 7. */
export const CreateTransactionsRequest = ItemRequest.extend({
  transactions: z.array(created).min(1).max(10),
});
export type CreateTransactionsBody = z.output<typeof CreateTransactionsRequest>;
