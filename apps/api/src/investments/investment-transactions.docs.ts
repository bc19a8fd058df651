import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { account } from '../openapi/models/account.model.js';
import {
  investmentTransaction,
  investmentTransactionId,
} from '../openapi/models/investment-transaction.model.js';
import { link } from '../openapi/models/link.model.js';
import { security } from '../openapi/models/security.model.js';
import { syncCursor } from '../openapi/models/values.model.js';

const securities = z.array(security).describe('The securities of the rows above.');
const accounts = z.array(account).describe('The accounts of the rows above.');

/** Source: native-api 3.14. */
export const investmentTransactionsDocs = routeDocs('Product data', {
  list: {
    id: 'investmentTransactions.list',
    summary: 'List the current investment transactions, newest first',
    description:
      'For showing a list to a user: pages of the purchases, sales, dividends and other movements of the last 90 days, or between the dates. To keep a copy, use `GET /links/{id}/investment-transactions/sync`, which returns changes only.',
    response: json(
      z.object({
        total: z.int().describe('Rows of all pages.'),
        page: z.int().describe('This page, from 1.'),
        size: z.int().describe('Rows in this batch.'),
        investment_transactions: z.array(investmentTransaction).describe('The rows, newest first.'),
        securities,
        accounts,
        link,
      }),
    ),
  },
  sync: {
    id: 'investmentTransactions.sync',
    summary: 'Get the changes of investment transactions since a cursor',
    description:
      'Works like `GET /links/{id}/transactions/sync`, with cursors of its own: without one, it starts from the beginning. Apply `created` and `updated` as upserts and delete what `removed` names; repeat with `cursor.next` while `has_more` is true, and store the last cursor for the next time.\n\nThe call never fetches from the institution: the webhook `investments.updates_available` announces new data.',
    response: json(
      z.object({
        investment_transactions: z
          .object({
            created: z.array(investmentTransaction).describe('Rows that are new since the cursor.'),
            updated: z.array(investmentTransaction).describe('Rows that changed since the cursor.'),
            removed: z.array(investmentTransactionId).describe('The ids of rows that are gone.'),
          })
          .meta({
            id: 'InvestmentTransactionChanges',
            description: 'What changed since a cursor.',
          }),
        cursor: syncCursor.describe('The position after this page: store it.'),
        has_more: z.boolean().describe('More changes wait: call again with the new cursor.'),
        securities,
        accounts,
        link,
      }),
    ),
  },
});
