import { accountNumbersOf, accountsOf } from '../data/accounts.js';
import { ownersOf } from '../data/owners.js';
import type { Route } from '../http/route.js';
import { authorizedCustomer, type DataAccess } from './authorized-customer.js';

export function listAccountsRoute(data: DataAccess): Route {
  return {
    method: 'GET',
    path: '/v1/connections/{connectionId}/accounts',
    async handle(request) {
      const { customer, now } = await authorizedCustomer(request, data, { listsAccounts: true });
      return { status: 200, body: { accounts: accountsOf(customer, now) } };
    },
  };
}

/** Numbers of the accounts that money can be sent to. */
export function listAccountNumbersRoute(data: DataAccess): Route {
  return {
    method: 'GET',
    path: '/v1/connections/{connectionId}/account-numbers',
    async handle(request) {
      const { customer } = await authorizedCustomer(request, data);
      return { status: 200, body: { account_numbers: accountNumbersOf(customer) } };
    },
  };
}

export function listOwnersRoute(data: DataAccess): Route {
  return {
    method: 'GET',
    path: '/v1/connections/{connectionId}/owners',
    async handle(request) {
      const { customer } = await authorizedCustomer(request, data);
      return { status: 200, body: { owners: ownersOf(customer) } };
    },
  };
}
