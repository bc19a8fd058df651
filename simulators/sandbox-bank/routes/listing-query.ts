import { BankError } from '../http/bank-error.js';
import { queryValue } from '../http/bank-request.js';
import type { SimulatorRequest } from '../../http/request.js';
import {
  dayNumberFromIsoDate,
  HISTORY_DAYS,
  historyAt,
  isoDateOf,
} from '../transactions/day-number.js';
import { parsePageToken, type PageToken } from '../transactions/page-token.js';

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 500;

/** The part of a listing that a request asks for. */
export interface ListingQuery {
  /** Day numbers, both included: those of the requested days that the bank still has. */
  first: number;
  last: number;
  size: number;
  /** Null on the first page. */
  token: PageToken | null;
  /** The same days as dates; null = none. */
  covered: { from: string; to: string } | null;
}

/** @throws BankError `invalid_request` */
export function readListing(request: SimulatorRequest, now: Date): ListingQuery {
  const history = historyAt(now);
  const from = readDay(request, 'from') ?? history.first;
  const to = readDay(request, 'to') ?? history.last;
  if (from > to) throw new BankError('invalid_request', 'from is later than to.');
  const token = readPageToken(request, history.last);
  // later pages keep the window and the state of the first: the history may change while pages
  // are read
  const first = token?.first ?? Math.max(from, history.first);
  const last = token?.last ?? Math.min(to, history.last);
  return {
    first,
    last,
    size: readPageSize(request),
    token,
    covered: first > last ? null : { from: isoDateOf(first), to: isoDateOf(last) },
  };
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
