import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { account } from '../openapi/models/account.model.js';
import { link } from '../openapi/models/link.model.js';
import {
  transaction,
  transactionNumbers,
  transactionPage,
} from '../openapi/models/transaction.model.js';
import { syncCursor, transactionId } from '../openapi/models/values.model.js';

/** Source: native-api 3.6. */
export const transactionsDocs = routeDocs('Product data', {
  list: {
    id: 'transactions.list',
    summary: 'List the current transactions, newest first',
    response: json(z.object({ ...transactionPage, accounts: z.array(account), link })),
  },
  sync: {
    id: 'transactions.sync',
    summary: 'Get the changes since a cursor',
    response: json(
      z.object({
        transactions: z
          .object({
            created: z.array(transaction),
            updated: z.array(transaction),
            removed: z.array(transactionId),
          })
          .meta({ id: 'TransactionChanges' }),
        cursor: syncCursor,
        has_more: z.boolean(),
        accounts: z.array(account),
        link,
      }),
      { cacheable: true },
    ),
  },
  numbers: {
    id: 'transactions.getNumbers',
    summary: 'Get the account number of the counterparty of a transaction',
    response: json(
      z.object({
        transaction_id: transactionId,
        counterparty: transactionNumbers.nullable().describe('Null when unknown.'),
        link,
      }),
    ),
  },
});
