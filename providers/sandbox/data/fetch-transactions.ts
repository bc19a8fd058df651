import { isTransactionCategory } from '../../../domain/transactions/transaction-categories.js';
import type {
  ProviderAccess,
  ProviderTransaction,
  ProviderTransactionPage,
  TransactionWindow,
} from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import type { FaultReason } from '../../../domain/refresh/source-fault.js';
import { newRows } from '../../http/new-rows.js';
import { isRefusedRequest, readEach, readPart, type ReadScope } from '../../http/read-scope.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';
import { transactionDetails } from './transaction-details.js';

const PAGE_SIZE = 200;
/** A longer listing counts as endless. */
const MAX_PAGES = 500;

/**
 * Reads the bank's pages. Rows outside the window and repeated ones are omitted. A listing that
 * repeats itself or does not end is noted, and ends there.
 */
export async function* fetchTransactions(
  callBank: BankClient,
  access: ProviderAccess,
  window: TransactionWindow,
): AsyncGenerator<ProviderTransactionPage> {
  const { note } = access;
  const scope = { account: null, note };
  const seenTokens = new Set<string>();
  const isNew = newRows({ note });
  let pageToken: string | null = null;
  // Rows of several accounts share a page, so all of them are incomplete.
  const breakOff = (reason: FaultReason): void =>
    note({ scope: 'account', account: null, resource: 'page', field: 'next_page_token', reason });

  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response: RemoteObject | null = await readPage(callBank, access, window, pageToken);
    if (response === null) return breakOff('refused');
    const listed = response.list('transactions', PAGE_SIZE);
    const transactions = readEach(listed, { ...scope, scope: 'account' }, (remote) => {
      const account = new RemoteObject(remote, 'transaction').text('account_id', { max: 100 });
      const ofAccount = { account, note };
      return readPart({ ...ofAccount, scope: 'row' }, () => toTransaction(remote, ofAccount));
    });
    yield {
      transactions: transactions
        .filter((row) => row !== null)
        .filter((row) => row.date >= window.from && row.date <= window.to && isNew(row)),
      covered: toCovered(response, window),
    };

    pageToken = response.textOrNull('next_page_token', { max: 500 });
    if (pageToken === null) return;
    if (seenTokens.has(pageToken)) return breakOff('repeated');
    seenTokens.add(pageToken);
  }
  breakOff('endless');
}

/** @returns null if the bank refuses its own token */
async function readPage(
  callBank: BankClient,
  access: ProviderAccess,
  { from, to }: TransactionWindow,
  pageToken: string | null,
): Promise<RemoteObject | null> {
  const reading = callConnection(callBank, access, {
    part: 'transactions',
    query: {
      from,
      to,
      page_size: String(PAGE_SIZE),
      ...(pageToken === null ? {} : { page_token: pageToken }),
    },
  });
  try {
    return new RemoteObject(await reading, 'response');
  } catch (error) {
    if (pageToken === null || !isRefusedRequest(error)) throw error;
    return null;
  }
}

/** @throws Unreadable without an id, an amount, a direction, a currency or a day */
export function toTransaction(remote: unknown, scope: ReadScope): ProviderTransaction {
  const row = new RemoteObject(remote, 'transaction', scope);
  const date = row.day('booking_date');
  const datetime = row.maybe('local_datetime', (it) => it.localDatetimeOrNull('local_datetime'));
  return {
    providerTransactionId: row.text('transaction_id', { max: 100 }),
    providerAccountId: row.text('account_id', { max: 100 }),
    amount: row.decimal('amount').abs(),
    type: row.oneOf('direction', ['OUT', 'IN'] as const) === 'OUT' ? 'debit' : 'credit',
    currency: row.text('currency', { max: 3, pattern: /^[A-Z]{3}$/ }),
    date,
    datetime: datetime?.startsWith(date) === true ? datetime : null,
    description: row.plain('description', 500),
    rawDescription: row.plain('statement_text', 500),
    pending:
      row.maybe('status', (it) => it.oneOf('status', ['PENDING', 'BOOKED'] as const)) === 'PENDING',
    category: toCategory(row.maybe('category', (it) => it.text('category', { max: 100 }))),
    ...transactionDetails(row),
  };
}

/** native-api 4.11: never guessed; an unlisted category becomes null. */
function toCategory(remote: string | null): string | null {
  return remote !== null && isTransactionCategory(remote) ? remote : null;
}

/** The days this listing covers; null if it covers none of the requested ones. */
function toCovered(response: RemoteObject, window: TransactionWindow): TransactionWindow | null {
  const covered = response.objectOrNull('covered');
  if (covered === null) return null;
  const [from, to] = [covered.day('from'), covered.day('to')];
  if (from < window.from || to > window.to || from > to)
    throw malformed('the covered days are outside the requested window');
  return { from, to };
}
