import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { account, accountWithNumbers, accountWithOwners } from '../openapi/models/account.model.js';
import { link } from '../openapi/models/link.model.js';

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
  one: {
    id: 'accounts.get',
    summary: 'Get an account, even a closed one',
    response: json(z.object({ account, link })),
  },
});
