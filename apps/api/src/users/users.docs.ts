import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { account } from '../openapi/models/account.model.js';
import { link } from '../openapi/models/link.model.js';
import { transactionPage } from '../openapi/models/transaction.model.js';
import {
  EXPORT_ALTERNATIVES,
  EXPORT_DESCRIPTION,
  userExport,
} from '../openapi/models/user-export.model.js';
import { accountId, linkId, nextCursor, timestamp } from '../openapi/models/values.model.js';

/** Source: native-api 3.7. */
export const usersDocs = routeDocs('Users', {
  listAccounts: {
    id: 'users.listAccounts',
    summary: 'List the accounts of a user, by link',
    description:
      'Accounts by the id of their link, oldest link first. A page holds at most `limit` accounts; a link with more than that continues on the next page, under the same id. Links that cannot be read now are left out. An unknown user returns an empty map. Follow `next_cursor` until it is empty.',
    response: json(
      z.object({
        links: z
          .record(
            linkId,
            z
              .object({
                accounts: z.array(account).describe('The accounts of the link.'),
                last_synced_at: timestamp
                  .nullable()
                  .describe('The last successful refresh of any product.'),
              })
              .meta({ id: 'UserLinkAccounts', description: 'The accounts of a link.' }),
          )
          .describe('Accounts by the id of their link.'),
        next_cursor: nextCursor,
      }),
    ),
  },
  listLinks: {
    id: 'users.listLinks',
    summary: 'List the links of a user',
    description:
      'Links by their id, oldest first, without deleted ones. An unknown user returns an empty map. Follow `next_cursor` until it is empty.',
    response: json(
      z.object({
        links: z.record(linkId, link).describe('Links by their id.'),
        next_cursor: nextCursor,
      }),
    ),
  },
  listTransactions: {
    id: 'users.listTransactions',
    summary: 'List the transactions of all links of a user, newest first',
    description:
      'One list over all links that can be read. Filters are combined; a group such as `food_and_drink` matches all its categories.',
    response: json(
      z.object({
        ...transactionPage,
        accounts: z
          .record(
            accountId,
            z
              .object({
                name: z.string().describe('The name of the account.'),
                last_synced_at: timestamp
                  .nullable()
                  .describe('The last successful refresh of its link.'),
                institution_id: z.string().describe('The institution of the account.'),
                link_id: linkId.describe('The link of the account.'),
              })
              .meta({ id: 'UserTransactionAccount', description: 'The account of a transaction.' }),
          )
          .describe('The accounts of the rows above, by their id.'),
      }),
    ),
  },
  erase: {
    id: 'users.erase',
    summary: 'Erase everything stored about a user',
    description:
      'For requests of erasure: links are deleted, permissions revoked, and the data erased within seconds, without further calls. Repeating the call is safe. `unrevoked_permissions` names those that the user must end at the source.',
    response: json(
      z.object({
        unrevoked_permissions: z
          .array(
            z
              .object({
                link_id: linkId.describe('The link whose permission goes on.'),
                institution_id: z.string().describe('The institution of the link.'),
                provider: z.string().describe('The source that keeps the permission.'),
              })
              .meta({
                id: 'UnrevokedPermission',
                description: 'A permission that goes on at its source.',
              }),
          )
          .describe(
            'Permissions that their sources offer no way to end: the user must end them there.',
          ),
      }),
    ),
  },
  export: {
    id: 'users.export',
    summary: 'Export everything stored about a user, as a stream',
    description:
      'For requests of access to personal data: sessions, links, accounts with owners and numbers, every version of every transaction, and webhooks. It holds no credential or token.\n\n' +
      EXPORT_DESCRIPTION,
    response: json(userExport, { alternatives: EXPORT_ALTERNATIVES }),
  },
});
