import { z } from 'zod';
import { day, list, single, wholeNumber } from '../http/query-schemas.js';

const page = { cursor: single.optional(), limit: wholeNumber({ least: 1, most: 1000, otherwise: 1000 }) };

/** Source: native-api 3.7. */
export const ListUserAccounts = { query: z.object({ account_ids: list, institution_ids: list, ...page }) };

export const ListUserLinks = { query: z.object(page) };

export const ListUserTransactions = {
  query: z.object({
    account_id: list,
    institution_id: list,
    transaction_type: single.pipe(z.enum(['debit', 'credit'], 'Must be debit or credit.')).optional(),
    category: list,
    page: wholeNumber({ least: 1, otherwise: 1 }),
    size: wholeNumber({ least: 1, most: 1000, otherwise: 50 }),
    start_date: day.optional(),
    end_date: day.optional(),
  }),
};
