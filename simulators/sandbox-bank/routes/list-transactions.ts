import type { Bank } from '../bank.js';
import { dataKindOf } from '../customers/customer.js';
import {
  dayNumberFromIsoDate,
  HISTORY_DAYS,
  historyAt,
  isoDateOf,
} from '../transactions/day-number.js';
import { transactionPage } from '../transactions/transaction-page.js';
import { BankError } from '../http/bank-error.js';
import { fetchKeyOf, queryValue } from '../http/bank-request.js';
import type { SimulatorRequest } from '../../http/request.js';
import { formatPageToken, parsePageToken, type PageToken } from '../transactions/page-token.js';
import { untidyRows } from '../faults/untidy-answers.js';
import { authorizedCustomer } from './authorized-customer.js';

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 500;

/**
 * Rows of a window, newest first. `covered` states which of the requested days the bank still has.
 */
export async function listTransactions(bank: Bank, request: SimulatorRequest) {
  const { connection, customer, now, untidy } = await authorizedCustomer(
    request,
    bank,
    'transactions',
  );
  const history = historyAt(now);
  const from = readDay(request, 'from') ?? history.first;
  const to = readDay(request, 'to') ?? history.last;
  if (from > to) throw new BankError('invalid_request', 'from is later than to.');
  const size = readPageSize(request);
  const token = readPageToken(request, history.last);
  // later pages keep the window and the state of the first: the history may change while pages
  // are read
  const first = token?.first ?? Math.max(from, history.first);
  const last = token?.last ?? Math.min(to, history.last);
  const fetchDays =
    dataKindOf(customer) === 'dynamic'
      ? await daysOfFetches(bank, request, connection.connectionId, token, history.last)
      : [];
  const scripted = await bank.scripts.rows(connection.historyId);
  const { transactions, end } = transactionPage(
    customer,
    { first, last, size, after: token?.after ?? null, fetchDays, scripted },
    now,
  );
  return {
    transactions: untidyRows(transactions, { untidy, isFirstPage: token === null }),
    covered: first > last ? null : { from: isoDateOf(first), to: isoDateOf(last) },
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

function readDay(request: SimulatorRequest, name: string): number | null {
  const text = queryValue(request, name);
  if (text === null) return null;
  const dayNumber = dayNumberFromIsoDate(text);
  if (dayNumber === null)
    throw new BankError('invalid_request', `${name} must be a date, YYYY-MM-DD.`);
  return dayNumber;
}

function readPageSize(request: SimulatorRequest): number {
  const text = queryValue(request, 'page_size') ?? String(DEFAULT_PAGE_SIZE);
  const size = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > MAX_PAGE_SIZE)
    throw new BankError('invalid_request', `page_size must be 1..${MAX_PAGE_SIZE}.`);
  return size;
}

function readPageToken(request: SimulatorRequest, today: number): PageToken | null {
  const text = queryValue(request, 'page_token');
  if (text === null) return null;
  const token = parsePageToken(text);
  if (token === null || token.last > today || token.last - token.first >= HISTORY_DAYS) {
    throw new BankError('invalid_request', 'page_token is not one of this bank.');
  }
  return token;
}
