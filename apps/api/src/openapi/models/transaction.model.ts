import { z } from 'zod';
import { ALL_CATEGORIES } from '../../../../../domain/transactions/transaction-categories.js';
import { accountId, currency, transactionId } from './values.model.js';

/** Source: native-api 4.6. */
export const transaction = z
  .object({
    transaction_id: transactionId,
    account_id: accountId,
    amount: z.number().min(0).describe('Never negative; the direction is in `type`.'),
    type: z
      .enum(['debit', 'credit'])
      .describe('`debit` = money out, `credit` = money in, for every type of account.'),
    currency,
    date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T00:00:00$/)
      .describe('The posted date; for a pending row its start date.'),
    datetime: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/)
      .nullable()
      .describe('Only if the institution provides a time; in its local time.'),
    description: z.string().nullable().describe('Cleaned up for display.'),
    raw_description: z.string().nullable().describe('As provided by the institution.'),
    pending: z.boolean(),
    category: z
      .enum(ALL_CATEGORIES)
      .meta({ id: 'TransactionCategory' })
      .nullable()
      .describe('Never guessed: null when unknown.'),
    original_id: z.string().nullable().describe('The id given at import.'),
  })
  .meta({ id: 'Transaction' });

/** The fields of a page of a list. Source: native-api 3.6. */
export const transactionPage = {
  total: z.int(),
  page: z.int(),
  size: z.int().describe('Rows in this batch.'),
  transactions: z.array(transaction),
};
