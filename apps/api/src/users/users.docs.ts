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
        links: z.record(
          linkId,
          z
            .object({ accounts: z.array(account), last_synced_at: timestamp.nullable() })
            .meta({ id: 'UserLinkAccounts' }),
        ),
        next_cursor: nextCursor,
      }),
    ),
  },
  listLinks: {
    id: 'users.listLinks',
    summary: 'List the links of a user',
    description:
      'Links by their id, oldest first, without deleted ones. An unknown user returns an empty map. Follow `next_cursor` until it is empty.',
    response: json(z.object({ links: z.record(linkId, link), next_cursor: nextCursor })),
  },
  listTransactions: {
    id: 'users.listTransactions',
    summary: 'List the transactions of all links of a user, newest first',
    description:
      'One list over all links that can be read. Filters are combined; a group such as `food_and_drink` matches all its categories.',
    response: json(
      z.object({
        ...transactionPage,
        accounts: z.record(
          accountId,
          z
            .object({
              name: z.string(),
              last_synced_at: timestamp.nullable(),
              institution_id: z.string(),
              link_id: linkId,
            })
            .meta({ id: 'UserTransactionAccount' }),
        ),
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
              .object({ link_id: linkId, institution_id: z.string(), provider: z.string() })
              .meta({ id: 'UnrevokedPermission' }),
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
