import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { newRows } from '../../http/new-rows.js';
import { readEach, type ReadScope } from '../../http/read-scope.js';
import { isInWindow } from '../../rules/row-day.js';
import type {
  ProviderTransaction,
  ProviderTransactionPage,
  TransactionWindow,
} from '../../contract/provider.js';
import type { ReadResource } from './resource-reader.js';
import type { FdxInstitution } from '../settings.js';
import { readDescriptors, type AccountDescriptor } from './account-descriptor.js';
import { AccountTally, missingAccounts, type Noting } from './each-account.js';
import { listPages } from './list-pages.js';
import { toTransaction } from './to-transaction.js';

/** Banks may compare the day of a purchase, while the row has the day on which it posted. */
const EARLIER_DAYS = 7;

/**
 * Reads the window account by account. Banks compare different dates in different time zones, so
 * more days are requested, and rows are filtered by their own day.
 */
export async function* fetchTransactions(
  read: ReadResource,
  institution: FdxInstitution,
  window: TransactionWindow,
  noting: Noting,
): AsyncGenerator<ProviderTransactionPage> {
  const today = utcDay(new Date());
  const oldest = addDays(today, 1 - institution.historyDays);
  const covered = { from: window.from < oldest ? oldest : window.from, to: window.to };
  if (covered.from > covered.to) return yield { transactions: [], covered: null };

  const earlier = addDays(covered.from, -EARLIER_DAYS);
  const end = addDays(covered.to, 1);
  const query = {
    startTime: earlier < oldest ? oldest : earlier,
    // Some banks refuse an end in the future; none requires one.
    ...(end > today ? {} : { endTime: end }),
  };
  const tally = new AccountTally(noting);
  const accounts = await readDescriptors(read, institution, noting);
  for (const account of accounts) {
    if (account.hasError) {
      tally.addFailed(account.id);
      continue;
    }
    const rows = await tally.attempt(account.id, () =>
      readRows(read, account, query, { today, scope: { account: account.id, ...noting } }),
    );
    const transactions = (rows ?? []).filter(({ date }) => isInWindow(date, covered, today));
    if (transactions.length > 0) yield { transactions, covered };
  }
  tally.expectAny();
  // Only the list of accounts decides about accounts that this list omits.
  const missing = missingAccounts(accounts, noting);
  yield { transactions: [], covered, unreported: [...tally.unreported, ...missing] };
}

/** All readable rows of an account. Pages may overlap. */
async function readRows(
  read: ReadResource,
  { id, category, currency }: AccountDescriptor,
  query: Readonly<Record<string, string>>,
  { today, scope }: { today: string; scope: ReadScope },
): Promise<ProviderTransaction[]> {
  const rows: ProviderTransaction[] = [];
  const isNew = newRows(scope);
  const path = ['accounts', id, 'transactions'];
  for await (const page of listPages(read, path, 'transactions', scope, query)) {
    const context = { accountId: id, category, currency, today, scope };
    const read = readEach(page, { ...scope, scope: 'row' }, (it) => toTransaction(it, context));
    rows.push(...read.filter((row) => row !== null).filter(isNew));
  }
  return rows;
}
