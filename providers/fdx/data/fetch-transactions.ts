import { utcDay } from '../../../domain/api/timestamps.js';
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
import { requestedDays } from './requested-days.js';
import { toTransaction } from './to-transaction.js';

/** Reads the window account by account. */
export async function* fetchTransactions(
  read: ReadResource,
  institution: FdxInstitution,
  window: TransactionWindow,
  noting: Noting,
): AsyncGenerator<ProviderTransactionPage> {
  const today = utcDay(new Date());
  const requested = requestedDays(institution, window, today);
  if (requested === null) return yield { transactions: [], covered: null };

  const { covered, query } = requested;
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
