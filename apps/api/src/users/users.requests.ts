import { z } from 'zod';
import {
  ALL_CATEGORIES,
  categoriesNamedBy,
  TRANSACTION_CATEGORIES,
} from '../../../../domain/transactions/transaction-categories.js';
import { transactionType } from '../openapi/models/transaction.model.js';
import { MAX_POSITION } from '../schemas/position.schema.js';
import { cursor, day, list, single, startDay, wholeNumber } from '../schemas/query.schema.js';

/** Groups and categories; a group includes all its categories. Source: native-api 3.7. */
const categories = list
  .transform((filters, context) => {
    const named = filters?.map(categoriesNamedBy);
    if (named?.includes(null) === true) {
      context.addIssue({
        code: 'custom',
        message: 'Must be a category or a group of categories, as the API reference lists them.',
      });
    }
    return named?.flatMap((found) => found ?? []);
  })
  .meta({
    openapi: z.array(
      z.enum([...Object.keys(TRANSACTION_CATEGORIES), ...ALL_CATEGORIES]).meta({
        id: 'TransactionCategoryFilter',
        description: 'A category, or a group of categories.',
      }),
    ),
  });
const page = {
  cursor,
  limit: wholeNumber({ min: 1, max: 1000, fallback: 1000 }).describe(
    'Links of a page, and accounts of a page as well.',
  ),
};

/** Source: native-api 3.7. */
export const ListUserAccounts = {
  query: z.object({
    account_ids: list.describe('Only these accounts; missing = all.'),
    institution_ids: list.describe('Only links of these institutions; missing = all.'),
    ...page,
  }),
};

export const ListUserLinks = { query: z.object(page) };

export const ListUserTransactions = {
  query: z.object({
    account_id: list.describe('Only transactions of these accounts; missing = all.'),
    institution_id: list.describe('Only transactions at these institutions; missing = all.'),
    transaction_type: single
      .pipe(z.enum(['debit', 'credit'], 'Must be debit or credit.'))
      .meta({ openapi: transactionType })
      .optional()
      .describe('Only money out, or only money in.'),
    category: categories.describe('Only these categories, or all of these groups.'),
    page: wholeNumber({ min: 1, max: MAX_POSITION, fallback: 1 }).describe('The page, from 1.'),
    size: wholeNumber({ min: 1, max: 1000, fallback: 50 }).describe('Rows of a page.'),
    start_date: startDay,
    end_date: day.optional().describe('The last day, inclusive; missing = today.'),
  }),
};
