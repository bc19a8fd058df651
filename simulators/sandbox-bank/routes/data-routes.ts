import { ACCOUNT_MARKS, withMarks, type AccountMark } from '../accounts/account-marks.js';
import { accountNumbersOf } from '../accounts/accounts.js';
import { ownersOf } from '../accounts/owners.js';
import type { Bank } from '../bank.js';
import { BankError } from '../http/bank-error.js';
import { queryValue } from '../http/bank-request.js';
import type { SimulatorRequest } from '../../http/request.js';
import type { Routes } from '../../http/routes.js';
import { untidyAccounts, untidyHoldings, untidyLiabilities } from '../faults/untidy-answers.js';
import { authorizedCustomer, requireArea } from './authorized-customer.js';
import { stateOf } from './customer-state.js';
import { listInvestmentTransactions } from './list-investment-transactions.js';
import { listTransactions } from './list-transactions.js';
import { runHoldingsScript, runLiabilitiesScript, runScript } from './run-script.js';

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
      const { accounts } = await stateOf(bank, { connection, customer, now });
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
    'GET /v1/connections/{connectionId}/holdings': async (request) => {
      const authorized = await authorizedCustomer(request, bank, 'investments');
      requireArea(authorized.customer, 'investments');
      const { invested } = await stateOf(bank, authorized);
      const holdings = untidyHoldings(invested.holdings, authorized.untidy);
      return { status: 200, json: { ...invested, holdings } };
    },
    'GET /v1/connections/{connectionId}/investment-transactions': async (request) => ({
      status: 200,
      json: await listInvestmentTransactions(bank, request),
    }),
    // Debts, and the payments that are due.
    'GET /v1/connections/{connectionId}/liabilities': async (request) => {
      const authorized = await authorizedCustomer(request, bank, 'liabilities');
      requireArea(authorized.customer, 'liabilities');
      const { debts } = await stateOf(bank, authorized);
      return { status: 200, json: { liabilities: untidyLiabilities(debts, authorized.untidy) } };
    },
    'POST /v1/connections/{connectionId}/script': async (request) => ({
      status: 200,
      json: await runScript(bank, request),
    }),
    'POST /v1/connections/{connectionId}/holdings-script': async (request) => ({
      status: 200,
      json: await runHoldingsScript(bank, request),
    }),
    'POST /v1/connections/{connectionId}/liabilities-script': async (request) => ({
      status: 200,
      json: await runLiabilitiesScript(bank, request),
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
