import { isTransactionCategory } from '../../../domain/transactions/transaction-categories.js';
import type {
  ProviderAccess,
  ProviderTransaction,
  ProviderTransactionPage,
  TransactionWindow,
} from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { utcDay } from '../../../domain/api/timestamps.js';
import { newRows } from '../../http/new-rows.js';
import { realDay } from '../../http/real-day.js';
import { readEach, readPart, Unreadable, type ReadScope } from '../../http/read-scope.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';
import { readListing } from '../../rules/read-listing.js';
import { dayOfRow, isInWindow } from '../../rules/row-day.js';
import { readStatus } from '../../rules/row-status.js';
import { transactionDetails } from './transaction-details.js';

export const PAGE_SIZE = 200;
/** Rows of all accounts share the pages. */
const MAX_PAGES = 500;
const KEY = 'next_page_token';

/**
 * Reads the bank's pages (rules/read-listing.ts). Rows outside the window and repeated ones are
 * omitted. Rows of several accounts share a page, so a listing that breaks off makes all of them
 * incomplete.
 */
export async function* fetchTransactions(
  callBank: BankClient,
  access: ProviderAccess,
  window: TransactionWindow,
): AsyncGenerator<ProviderTransactionPage> {
  const { note } = access;
  const scope = { account: null, note };
  const today = utcDay(access.worldTime ?? new Date());
  const isNew = newRows({ note });
  let covered: TransactionWindow | null = null;
  const pages = readListing({
    scope,
    keyField: KEY,
    maxPages: MAX_PAGES,
    async readPage(token) {
      const page = await readPage(callBank, access, {
        part: 'transactions',
        window,
        pageToken: token,
      });
      const items = page.list('transactions', PAGE_SIZE);
      covered = toCovered(page, window);
      return {
        items,
        next: () => (page.any(KEY) === '' ? null : page.textOrNull(KEY, { max: 500 })),
      };
    },
  });
  for await (const page of pages) {
    const transactions = readEach(page, { ...scope, scope: 'account' }, (remote) => {
      const account = new RemoteObject(remote, 'transaction').text('account_id', { max: 100 });
      const ofAccount = { account, note };
      return readPart({ ...ofAccount, scope: 'row' }, () =>
        toTransaction(remote, { today, scope: ofAccount }),
      );
    });
    yield {
      transactions: transactions
        .filter((row) => row !== null)
        .filter((row) => isInWindow(row.date, window, today) && isNew(row)),
      covered,
    };
  }
}

/** One page of a listing of rows by day; null as token = the first one. */
export async function readPage(
  callBank: BankClient,
  access: ProviderAccess,
  {
    part,
    window: { from, to },
    pageToken,
  }: { part: string; window: TransactionWindow; pageToken: string | null },
): Promise<RemoteObject> {
  const response = await callConnection(callBank, access, {
    part,
    query: {
      from,
      to,
      page_size: String(PAGE_SIZE),
      ...(pageToken === null ? {} : { page_token: pageToken }),
    },
  });
  return new RemoteObject(response, 'response');
}

interface RowContext {
  /** The current day in the bank's world. */
  today: string;
  scope: ReadScope;
}

/**
 * @returns null for a row that is not a transaction (yet)
 * @throws Unreadable without an id, an amount, a direction, a currency or a day
 */
export function toTransaction(
  remote: unknown,
  { today, scope }: RowContext,
): ProviderTransaction | null {
  const row = new RemoteObject(remote, 'transaction', scope);
  const status = readStatus(row, 'status');
  if (status === 'none') return null;
  const pending = status === 'pending';
  const more = transactionDetails(row);
  const purchased = more.details?.transactedAt?.slice(0, 10) ?? null;
  const booked = row.maybe('booking_date', (it) => it.day('booking_date'));
  const days = [booked, purchased === null ? null : realDay(purchased)];
  const date = dayOfRow(days, { pending, today });
  if (date === null)
    throw new Unreadable('transaction', 'booking_date', 'missing', 'a day, nor is another');
  const datetime = row.maybe('local_datetime', (it) => it.localDatetimeOrNull('local_datetime'));
  return {
    providerTransactionId: row.text('transaction_id', { max: 100 }),
    providerAccountId: row.text('account_id', { max: 100 }),
    amount: row.decimal('amount').abs(),
    type: row.oneOf('direction', ['OUT', 'IN'] as const) === 'OUT' ? 'debit' : 'credit',
    currency: row.currency('currency'),
    date,
    datetime: datetime?.startsWith(date) === true ? datetime : null,
    description: row.plain('description', 500),
    rawDescription: row.plain('statement_text', 500),
    pending,
    category: toCategory(row.maybe('category', (it) => it.text('category', { max: 100 }))),
    ...more,
  };
}

/** native-api 4.11: never guessed; an unlisted category becomes null. */
function toCategory(remote: string | null): string | null {
  return remote !== null && isTransactionCategory(remote) ? remote : null;
}

/** The days this listing covers; null if it covers none of the requested ones. */
export function toCovered(
  response: RemoteObject,
  window: TransactionWindow,
): TransactionWindow | null {
  const covered = response.objectOrNull('covered');
  if (covered === null) return null;
  const [from, to] = [covered.day('from'), covered.day('to')];
  if (from < window.from || to > window.to || from > to)
    throw malformed('the covered days are outside the requested window');
  return { from, to };
}
