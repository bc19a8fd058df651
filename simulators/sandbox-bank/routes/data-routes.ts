import { ACCOUNT_MARKS, withMarks, type AccountMark } from '../accounts/account-marks.js';
import { accountNumbersOf, accountsOf } from '../accounts/accounts.js';
import { ownersOf } from '../accounts/owners.js';
import type { Bank } from '../bank.js';
import { BankError } from '../http/bank-error.js';
import { queryValue } from '../http/bank-request.js';
import type { SimulatorRequest } from '../../http/request.js';
import type { Routes } from '../../http/routes.js';
import { withScriptedBalances } from '../transactions/scripted-transactions.js';
import { untidyAccounts } from '../faults/untidy-answers.js';
import { authorizedCustomer } from './authorized-customer.js';
import { listTransactions } from './list-transactions.js';
import { runScript } from './run-script.js';

/** The data of a customer, and the scripts that change it. */
export function dataRoutes(bank: Bank): Routes {
  return {
    'GET /v1/connections/{connectionId}/accounts': async (request) => {
      const wanted = readMarks(request);
      const { connection, customer, now, untidy } = await authorizedCustomer(
        request,
        bank,
        'accounts',
      );
      const scripted = await bank.scripts.rows(connection.historyId);
      const accounts = accountsOf(customer, now).map((account) =>
        withScriptedBalances(account, scripted),
      );
      const marked = withMarks(accounts, customer, wanted);
      return { status: 200, json: { accounts: untidyAccounts(marked, untidy) } };
    },
    // Numbers of the accounts that money can be sent to.
    'GET /v1/connections/{connectionId}/account-numbers': async (request) => {
      const { customer } = await authorizedCustomer(request, bank, 'account_numbers');
      return { status: 200, json: { account_numbers: accountNumbersOf(customer) } };
    },
    'GET /v1/connections/{connectionId}/owners': async (request) => {
      const { customer } = await authorizedCustomer(request, bank, 'identity');
      return { status: 200, json: { owners: ownersOf(customer) } };
    },
    'GET /v1/connections/{connectionId}/transactions': async (request) => ({
      status: 200,
      json: await listTransactions(bank, request),
    }),
    'POST /v1/connections/{connectionId}/script': async (request) => ({
      status: 200,
      json: await runScript(bank, request),
    }),
  };
}

function readMarks(request: SimulatorRequest): AccountMark[] {
  const names = queryValue(request, 'with')?.split(',') ?? [];
  const wanted = ACCOUNT_MARKS.filter((mark) => names.includes(mark));
  if (wanted.length !== names.length)
    throw new BankError(
      'invalid_request',
      `with must name each of ${ACCOUNT_MARKS.join(', ')} once at most.`,
    );
  return wanted;
}
