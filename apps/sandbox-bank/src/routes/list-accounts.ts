import { accountsOf } from '../data/accounts.js';
import type { Route } from '../http/route.js';
import type { ConnectionStore } from '../storage/connections.js';
import { authorizedCustomer } from './authorized-customer.js';

export function listAccountsRoute(connections: ConnectionStore, now: () => Date): Route {
  return {
    method: 'GET',
    path: '/v1/connections/{connectionId}/accounts',
    async handle(request) {
      const access = await authorizedCustomer(request, connections, now);
      return { status: 200, body: { accounts: accountsOf(access.customer, access.now) } };
    },
  };
}
