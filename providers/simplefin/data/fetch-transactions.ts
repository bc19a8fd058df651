import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import type {
  ProviderAccess,
  ProviderTransaction,
  ProviderTransactionPage,
  TransactionWindow,
} from '../../contract/provider.js';
import { readEach, readPart } from '../../http/read-scope.js';
import { readListing } from '../../rules/read-listing.js';
import { isInWindow } from '../../rules/row-day.js';
import { RemoteObject } from '../../http/remote-object.js';
import { hasProblems, unreportedAccounts, type AccountSet } from './account-set.js';
import { currencyOf, MAX_EPOCH_SECONDS } from './fetch-accounts.js';
import { mergeRequests, type ListedRow } from './merge-requests.js';
import { readAccounts, type DataParts } from './read-accounts.js';
import { splitWindow } from './split-window.js';
import { toTransaction } from './to-transaction.js';

/** A year requires nine of the 24 requests of a day. */
export const HISTORY_DAYS = 365;
/** A server may drop more of the older days every day. */
const CERTAIN_DAYS = 90;
/** Rows of one account in one response. */
const MAX_ROWS = 50_000;

/**
 * Reads the window in requests of at most 44 days, and returns one page. Servers differ in the
 * timestamp they compare, so rows are filtered by their own day, regardless of the request that
 * lists them.
 */
export async function* fetchTransactions(
  parts: DataParts,
  access: ProviderAccess,
  window: TransactionWindow,
): AsyncGenerator<ProviderTransactionPage> {
  const today = utcDay(parts.now());
  const oldest = addDays(today, 1 - HISTORY_DAYS);
  const asked = { from: window.from < oldest ? oldest : window.from, to: window.to };
  if (asked.from > asked.to) return yield { transactions: [], covered: null };

  const requests: ListedRow[][] = [];
  const unreported = new Set<string>();
  for await (const set of readSets(parts, access, { asked, today })) {
    const listed = rowsOf(set, today);
    requests.push(listed.filter(({ row: { date } }) => isInWindow(date, asked, today)));
    const known = access.knownAccounts ?? [];
    for (const id of unreportedAccounts(set, known)) unreported.add(id);
    // An account may be missing in one response and return in the next.
    const listedIds = new Set(set.accounts.map(({ id }) => id));
    for (const id of known) if (!listedIds.has(id)) unreported.add(id);
    if (hasProblems(set.problems))
      for (const { id, remote } of set.accounts) if (lacksRows(remote)) unreported.add(id);
  }
  const transactions = mergeRequests(requests);
  yield {
    transactions,
    covered: coveredDays(asked, transactions, today),
    unreported: [...unreported],
  };
}

/**
 * One set for each part of the window, as the pages of one listing (rules/read-listing.ts). Every
 * part is about all accounts.
 */
async function* readSets(
  parts: DataParts,
  access: ProviderAccess,
  { asked, today }: { asked: TransactionWindow; today: string },
): AsyncGenerator<AccountSet> {
  const windows = splitWindow(asked);
  const pages = readListing({
    scope: { account: null, note: access.note },
    keyField: 'start-date',
    async readPage(key) {
      const at = Number(key ?? 0);
      const { start = 0, end = 0 } = windows[at] ?? {};
      const isLast = at === windows.length - 1;
      const set = await readAccounts(parts, access, {
        'start-date': String(start),
        // Without an end, servers also list rows that are posted ahead.
        ...(isLast && asked.to >= today ? {} : { 'end-date': String(end) }),
        pending: '1',
      });
      return { items: [set], next: () => (isLast ? null : String(at + 1)) };
    },
  });
  for await (const sets of pages) yield* sets;
}

function rowsOf({ accounts }: AccountSet, today: string): ListedRow[] {
  return accounts.flatMap(({ id, remote, scope }) => {
    const account = { ...scope, scope: 'account' as const };
    const listed = readPart(account, () => {
      const currency = currencyOf(remote);
      return { currency, rows: lacksRows(remote) ? [] : remote.list('transactions', MAX_ROWS) };
    });
    if (listed === null || listed.currency === null) return [];
    const context = { accountId: id, currency: listed.currency, today, scope };
    return readEach(listed.rows, { ...scope, scope: 'row' }, (remote) => {
      const row = toTransaction(remote, context);
      return { row, content: contentOf(row, remote) };
    });
  });
}

/**
 * The list is optional in the protocol, for example if there are no rows; null is not valid in any
 * version. While the server reports a problem, its absence may also mean that they were not read.
 */
const lacksRows = (account: RemoteObject): boolean => account.any('transactions') === undefined;

/** Without times of day: servers without one for a pending row use that of the request. */
function contentOf(row: ProviderTransaction, remote: unknown): string {
  const { providerAccountId, amount, type, date, description, rawDescription, pending } = row;
  const happened = new RemoteObject(remote, 'transaction').maybe('transacted_at', (it) =>
    it.wholeNumber('transacted_at', { max: MAX_EPOCH_SECONDS }),
  );
  const happenedOn = happened === null ? null : utcDay(new Date(happened * 1_000));
  const texts = [description, rawDescription];
  return JSON.stringify([providerAccountId, amount, type, date, happenedOn, pending, ...texts]);
}

/**
 * Beyond the certain days, rows older than the oldest listed one were dropped by the server rather
 * than withdrawn by a bank.
 */
function coveredDays(
  asked: TransactionWindow,
  rows: readonly ProviderTransaction[],
  today: string,
): TransactionWindow | null {
  const certain = addDays(today, 1 - CERTAIN_DAYS);
  if (asked.from >= certain) return asked;
  const oldest = rows.reduce((day, { date }) => (date < day ? date : day), certain);
  return oldest > asked.to ? null : { from: oldest, to: asked.to };
}
