import { isTransactionCategory } from '../../../domain/transactions/transaction-categories.js';
import type {
  ProviderAccess,
  ProviderTransaction,
  ProviderTransactionPage,
  TransactionWindow,
} from '../../provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';

const PAGE_SIZE = 200;
/** A longer listing never ends. */
const MAX_PAGES = 500;

/**
 * Reads the bank's pages. Duplicates, rows outside the window and endless pages are `malformed`.
 */
export async function* fetchTransactions(
  callBank: BankClient,
  access: ProviderAccess,
  window: TransactionWindow,
): AsyncGenerator<ProviderTransactionPage> {
  const seenIds = new Set<string>();
  const seenTokens = new Set<string>();
  let pageToken: string | null = null;

  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await readPage(callBank, access, window, pageToken);
    const transactions = response.list('transactions', PAGE_SIZE).map(toTransaction);
    for (const transaction of transactions) refuseStrayRow(transaction, window, seenIds);
    yield { transactions, covered: toCovered(response, window) };

    pageToken = response.textOrNull('next_page_token', { max: 500 });
    if (pageToken === null) return;
    if (seenTokens.has(pageToken)) throw malformed('the pages form a loop');
    seenTokens.add(pageToken);
  }
  throw malformed('the pages do not end');
}

async function readPage(
  callBank: BankClient,
  access: ProviderAccess,
  { from, to }: TransactionWindow,
  pageToken: string | null,
): Promise<RemoteObject> {
  const response = await callConnection(callBank, access, {
    part: 'transactions',
    query: {
      from,
      to,
      page_size: String(PAGE_SIZE),
      ...(pageToken === null ? {} : { page_token: pageToken }),
    },
  });
  return new RemoteObject(response, 'response');
}

export function toTransaction(remote: unknown): ProviderTransaction {
  const row = new RemoteObject(remote, 'transaction');
  const amount = row.decimal('amount');
  if (amount.isNegative()) throw malformed('transaction.amount is negative');
  const date = row.day('booking_date');
  const datetime = row.localDatetimeOrNull('local_datetime');
  if (datetime !== null && !datetime.startsWith(date))
    throw malformed('transaction.local_datetime is on a different day');
  return {
    providerTransactionId: row.text('transaction_id', { max: 100 }),
    providerAccountId: row.text('account_id', { max: 100 }),
    amount,
    type: row.oneOf('direction', ['OUT', 'IN']) === 'OUT' ? 'debit' : 'credit',
    currency: row.text('currency', { max: 3, pattern: /^[A-Z]{3}$/ }),
    date,
    datetime,
    description: row.textOrNull('description', { max: 500 }),
    rawDescription: row.textOrNull('statement_text', { max: 500 }),
    pending: row.oneOf('status', ['PENDING', 'BOOKED']) === 'PENDING',
    category: toCategory(row.textOrNull('category', { max: 100 })),
  };
}

/** native-api 4.11: never guessed; a category that is not listed becomes null. */
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

function refuseStrayRow(
  transaction: ProviderTransaction,
  window: TransactionWindow,
  seenIds: Set<string>,
): void {
  if (seenIds.has(transaction.providerTransactionId))
    throw malformed('a transaction id occurs twice');
  seenIds.add(transaction.providerTransactionId);
  if (transaction.date < window.from || transaction.date > window.to)
    throw malformed('a transaction is outside the window');
}
