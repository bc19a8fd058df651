import { accountNumbersOf, accountsOf } from '../data/accounts.js';
import { withScriptedBalances } from '../data/scripted-transactions.js';
import { ownersOf } from '../data/owners.js';
import type { Route } from '../http/route.js';
import type { ScriptedHistoryStore } from '../storage/scripted-histories.js';
import { authorizedCustomer, type DataAccess } from './authorized-customer.js';

export function listAccountsRoute(data: DataAccess, scripts: Pick<ScriptedHistoryStore, 'rows'>): Route {
  return {
    method: 'GET',
    path: '/v1/connections/{connectionId}/accounts',
    async handle(request) {
      const { connection, customer, now } = await authorizedCustomer(request, data, 'accounts');
      const scripted = await scripts.rows(connection.historyId);
      return { status: 200, body: { accounts: accountsOf(customer, now).map((account) => withScriptedBalances(account, scripted)) } };
    },
  };
}

/** Numbers of the accounts that money can be sent to. */
export function listAccountNumbersRoute(data: DataAccess): Route {
  return {
    method: 'GET',
    path: '/v1/connections/{connectionId}/account-numbers',
    async handle(request) {
      const { customer } = await authorizedCustomer(request, data, 'account_numbers');
      return { status: 200, body: { account_numbers: accountNumbersOf(customer) } };
    },
  };
}

export function listOwnersRoute(data: DataAccess): Route {
  return {
    method: 'GET',
    path: '/v1/connections/{connectionId}/owners',
    async handle(request) {
      const { customer } = await authorizedCustomer(request, data, 'identity');
      return { status: 200, body: { owners: ownersOf(customer) } };
    },
  };
}
