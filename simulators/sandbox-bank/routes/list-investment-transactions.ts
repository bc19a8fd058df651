import type { Bank } from '../bank.js';
import type { SimulatorRequest } from '../../http/request.js';
import { investmentTransactionsOf } from '../investments/investment-transactions.js';
import { dayNumberOf } from '../transactions/day-number.js';
import { formatPageToken } from '../transactions/page-token.js';
import { pageOf } from '../transactions/row-page.js';
import { authorizedCustomer, requireArea } from './authorized-customer.js';
import { readListing } from './listing-query.js';

/** Movements of investment accounts in a window, newest first; `covered` as for transactions. */
export async function listInvestmentTransactions(bank: Bank, request: SimulatorRequest) {
  const { connection, customer, now } = await authorizedCustomer(request, bank, 'investments');
  requireArea(customer, 'investments');
  const { first, last, size, token, covered } = readListing(request, now);
  const { holdings: changes } = await bank.scripts.read(connection.historyId);
  const rows = investmentTransactionsOf(customer, dayNumberOf(now), changes);
  const { transactions, end } = pageOf(rows, { first, last, size, after: token?.after ?? null });
  return {
    transactions,
    covered,
    next_page_token: end === null ? null : formatPageToken({ first, last, fetches: 0, after: end }),
  };
}
