import { z } from 'zod';
import { isDay } from '../../../../../../domain/timestamps.js';
import { text } from '../../../http/text-schemas.js';
import { daysRequested, productNames } from '../link-tokens/link-token.requests.js';

const day = z.string().refine(isDay, 'must be a date, YYYY-MM-DD');

/** Source: plaid-compat 7. */
export const CreatePublicTokenRequest = z.object({
  institution_id: text(1, 200),
  initial_products: productNames.min(1),
  options: z.object({
    webhook: text(1, 2_048).optional(),
    override_username: text(1, 100).optional(),
    override_password: text(1, 100).optional(),
    transactions: z.object({ start_date: day.optional(), end_date: day.optional(), days_requested: daysRequested.optional() }).optional(),
  }).prefault({}),
});
export type CreatePublicTokenBody = z.output<typeof CreatePublicTokenRequest>;
