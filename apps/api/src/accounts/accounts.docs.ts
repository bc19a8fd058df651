import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import {
  account,
  accountWithNumbers,
  accountWithOwners,
  dayBalances,
} from '../openapi/models/account.model.js';
import { link } from '../openapi/models/link.model.js';
import { accountId, day } from '../openapi/models/values.model.js';

/** Source: native-api 3.5. */
export const accountsDocs = routeDocs('Product data', {
  list: {
    id: 'accounts.list',
    summary: 'List the open accounts that the user permitted',
    response: json(z.object({ accounts: z.array(account), link })),
  },
  numbers: {
    id: 'accounts.listNumbers',
    summary: 'List the account numbers, for accounts that have some',
    response: json(z.object({ accounts: z.array(accountWithNumbers), link })),
  },
  identity: {
    id: 'identity.get',
    summary: 'List the owners of the accounts',
    response: json(z.object({ accounts: z.array(accountWithOwners), link })),
  },
  balances: {
    id: 'accounts.listBalances',
    summary: 'List the balances of an account on the days on which they changed',
    response: json(
      z.object({
        account_id: accountId,
        from: day,
        to: day,
        opening: dayBalances
          .nullable()
          .describe('The last balances before `from`; null = none are recorded.'),
        balances: z
          .array(dayBalances)
          .describe('Oldest first. A day without a row has those of the day before.'),
        link,
      }),
    ),
  },
  one: {
    id: 'accounts.get',
    summary: 'Get an account, even a closed one',
    response: json(z.object({ account, link })),
  },
});
