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
    description:
      'For showing a list to a user: pages of the current transactions of the last 90 days, or between the dates. To keep a copy, use `GET /links/{id}/transactions/sync`, which returns changes only.',
    response: json(
      z.object({
        ...transactionPage,
        accounts: z.array(account).describe('The accounts of the rows above.'),
        link,
      }),
    ),
  },
  sync: {
    id: 'transactions.sync',
    summary: 'Get the changes since a cursor',
    description:
      'Without a cursor, it starts from the beginning. Apply `created` and `updated` as upserts and delete what `removed` names; repeat with `cursor.next` while `has_more` is true, and store the last cursor for the next time. Cursors never expire while the link exists.\n\nThe call never fetches from the institution: the webhook `transactions.updates_available` announces new data. A pending transaction keeps its id when it is posted.',
    response: json(
      z.object({
        transactions: z
          .object({
            created: z.array(transaction).describe('Rows that are new since the cursor.'),
            updated: z.array(transaction).describe('Rows that changed since the cursor.'),
            removed: z.array(transactionId).describe('The ids of rows that are gone.'),
          })
          .meta({ id: 'TransactionChanges', description: 'What changed since a cursor.' }),
        cursor: syncCursor.describe('The position after this page: store it.'),
        has_more: z.boolean().describe('More changes wait: call again with the new cursor.'),
        accounts: z.array(account).describe('The accounts of the rows above.'),
        link,
      }),
      { cacheable: true },
    ),
  },
  numbers: {
    id: 'transactions.getNumbers',
    summary: 'Get the account number of the counterparty of a transaction',
    description:
      'The only call besides an export that returns it. `counterparty` is null when the institution provides none. Card numbers are never stored.',
    response: json(
      z.object({
        transaction_id: transactionId.describe('The transaction.'),
        counterparty: transactionNumbers.nullable().describe('Null when unknown.'),
        link,
      }),
    ),
  },
});
