import { ACCOUNT_MARKS, withMarks, type AccountMark } from '../accounts/account-marks.js';
import { accountNumbersOf, accountsOf } from '../accounts/accounts.js';
import { withScriptedBalances } from '../transactions/scripted-transactions.js';
import { ownersOf } from '../accounts/owners.js';
import { BankError } from '../http/bank-error.js';
import type { BankRequest } from '../http/bank-request.js';
import type { Route } from '../http/route.js';
import type { ScriptedHistoryStore } from '../transactions/scripted-histories.js';
import { authorizedCustomer, type DataAccess } from './authorized-customer.js';

export function listAccountsRoute(
  data: DataAccess,
  scripts: Pick<ScriptedHistoryStore, 'rows'>,
): Route {
  return {
    method: 'GET',
    path: '/v1/connections/{connectionId}/accounts',
    async handle(request) {
      const wanted = readMarks(request);
      const { connection, customer, now } = await authorizedCustomer(request, data, 'accounts');
      const scripted = await scripts.rows(connection.historyId);
      const accounts = accountsOf(customer, now).map((account) =>
        withScriptedBalances(account, scripted),
      );
      return { status: 200, body: { accounts: withMarks(accounts, customer, wanted) } };
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

function readMarks(request: BankRequest): AccountMark[] {
  const names = request.queryValue('with')?.split(',') ?? [];
  const wanted = ACCOUNT_MARKS.filter((mark) => names.includes(mark));
  if (wanted.length !== names.length)
    throw new BankError(
      'invalid_request',
      `with must name each of ${ACCOUNT_MARKS.join(', ')} once at most.`,
    );
  return wanted;
}
