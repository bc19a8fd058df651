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
    description:
      'Reads stored data; `balance_date` says how old a balance is. A granted product that was never fetched returns an empty list. Unknown `account_ids` are ignored.',
    response: json(
      z.object({ accounts: z.array(account).describe('The accounts that the user shares.'), link }),
    ),
  },
  numbers: {
    id: 'accounts.listNumbers',
    summary: 'List the account numbers, for accounts that have some',
    description:
      'For payments to or from the accounts. Accounts without numbers are left out. Treat the response as confidential.',
    response: json(
      z.object({
        accounts: z.array(accountWithNumbers).describe('The accounts that have numbers.'),
        link,
      }),
    ),
  },
  identity: {
    id: 'identity.get',
    summary: 'List the owners of the accounts',
    description:
      'Names, addresses, telephone numbers and e-mail addresses as the institution stores them. To compare fresh data, request a refresh of `identity` and wait until `refreshed_at` increases.',
    response: json(
      z.object({
        accounts: z.array(accountWithOwners).describe('The accounts with their owners.'),
        link,
      }),
    ),
  },
  balances: {
    id: 'accounts.listBalances',
    summary: 'List the balances of an account on the days on which they changed',
    description:
      'One row for each day on which a refresh stored other balances; a day without a row has those of the row before it. `opening` is the last row before `from`. Without dates, the last 91 days are returned; at most 731 days can be read at once.',
    response: json(
      z.object({
        account_id: accountId,
        from: day.describe('The first day that was asked for.'),
        to: day.describe('The last day that was asked for.'),
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
    description: 'Returns a closed account, too, with `closed` true; lists leave it out.',
    response: json(z.object({ account, link })),
  },
});
