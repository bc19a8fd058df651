import type { Bank } from '../bank.js';
import { dataKindOf } from '../customers/customer.js';
import { dayNumberOf } from '../transactions/day-number.js';
import { transactionPage } from '../transactions/transaction-page.js';
import { fetchKeyOf } from '../http/bank-request.js';
import type { SimulatorRequest } from '../../http/request.js';
import { formatPageToken, type PageToken } from '../transactions/page-token.js';
import { untidyRows } from '../faults/untidy-answers.js';
import { authorizedCustomer } from './authorized-customer.js';
import { readListing } from './listing-query.js';

/**
 * Rows of a window, newest first. `covered` states which of the requested days the bank still has.
 */
export async function listTransactions(bank: Bank, request: SimulatorRequest) {
  const { connection, customer, now, untidy } = await authorizedCustomer(
    request,
    bank,
    'transactions',
  );
  const { first, last, size, token, covered } = readListing(request, now);
  const fetchDays =
    dataKindOf(customer) === 'dynamic'
      ? await daysOfFetches(bank, request, connection.connectionId, token, dayNumberOf(now))
      : [];
  const { rows: scripted } = await bank.scripts.read(connection.historyId);
  const { transactions, end } = transactionPage(
    customer,
    { first, last, size, after: token?.after ?? null, fetchDays, scripted },
    now,
  );
  return {
    transactions: untidyRows(transactions, { untidy, isFirstPage: token === null }),
    covered,
    next_page_token:
      end === null ? null : formatPageToken({ first, last, fetches: fetchDays.length, after: end }),
  };
}

/**
 * The first page of a listing counts as a fetch; one with a key counts once, however often it is
 * retried.
 */
async function daysOfFetches(
  { histories }: Bank,
  request: SimulatorRequest,
  connectionId: string,
  token: PageToken | null,
  today: number,
): Promise<number[]> {
  if (token !== null) return (await histories.fetchDays(connectionId)).slice(0, token.fetches);
  return histories.countFetch(connectionId, today, fetchKeyOf(request));
}
