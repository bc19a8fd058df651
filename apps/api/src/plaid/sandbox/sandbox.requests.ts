import { z } from 'zod';
import { isDay } from '../../../../../domain/api/timestamps.js';
import { PLAID_LIMITS } from '../../http/input/input-limits.js';
import { isLongerThan, text } from '../../schemas/text.schema.js';
import { ItemRequest } from '../items/item.requests.js';
import { daysRequested, productNames } from '../link-tokens/link-token.requests.js';
import { CUSTOM_USER } from './sandbox-users.js';

/** Except for the custom user's, which is JSON. */
const MAX_PASSWORD = 100;

const day = z.string().refine(isDay, 'must be a date, YYYY-MM-DD');

/** Source: plaid-compat 7. */
export const CreatePublicTokenRequest = z.object({
  institution_id: text(1, 200),
  initial_products: productNames.min(1),
  options: z
    .object({
      webhook: text(1, 2_048).optional(),
      override_username: text(1, 100).optional(),
      override_password: text(1, PLAID_LIMITS.text).optional(),
      transactions: z
        .object({
          start_date: day.optional(),
          end_date: day.optional(),
          days_requested: daysRequested.optional(),
        })
        .optional(),
    })
    .refine(
      ({ override_username: name, override_password: password = '' }) =>
        name === CUSTOM_USER || !isLongerThan(password, MAX_PASSWORD),
      { path: ['override_password'], message: `Must have at most ${MAX_PASSWORD} characters.` },
    )
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
