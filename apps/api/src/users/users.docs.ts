import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { account } from '../openapi/models/account.model.js';
import { link } from '../openapi/models/link.model.js';
import { transactionPage } from '../openapi/models/transaction.model.js';
import { userExport } from '../openapi/models/user-export.model.js';
import { accountId, linkId, nextCursor, timestamp } from '../openapi/models/values.model.js';

/** Source: native-api 3.7. */
export const usersDocs = routeDocs('Users', {
  listAccounts: {
    id: 'users.listAccounts',
    summary: 'List the accounts of a user, by link',
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
    response: json(z.object({ links: z.record(linkId, link), next_cursor: nextCursor })),
  },
  listTransactions: {
    id: 'users.listTransactions',
    summary: 'List the transactions of all links of a user, newest first',
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
    response: json(userExport),
  },
});
