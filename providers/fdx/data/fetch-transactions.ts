import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { malformed } from '../../http/remote-object.js';
import type {
  ProviderTransaction,
  ProviderTransactionPage,
  TransactionWindow,
} from '../../provider.js';
import type { ReadResource } from './resource-reader.js';
import type { FdxInstitution } from '../settings.js';
import { readDescriptors, type AccountDescriptor } from './account-descriptor.js';
import { AccountTally } from './each-account.js';
import { listPages } from './list-pages.js';
import { toTransaction } from './to-transaction.js';

/** Banks may compare the day of a purchase where the row has the day on which it posted. */
const EARLIER_DAYS = 7;
/** Rows of one account in one fetch. */
const MAX_ROWS = 100_000;

/**
 * Reads the window account by account. Banks differ in what they compare and in which time zone, so
 * more days are asked for, and rows are kept by their own day.
 */
export async function* fetchTransactions(
  read: ReadResource,
  institution: FdxInstitution,
  window: TransactionWindow,
): AsyncGenerator<ProviderTransactionPage> {
  const today = utcDay(new Date());
  const oldest = addDays(today, 1 - institution.historyDays);
  const covered = { from: window.from < oldest ? oldest : window.from, to: window.to };
  if (covered.from > covered.to) return yield { transactions: [], covered: null };

  const earlier = addDays(covered.from, -EARLIER_DAYS);
  const end = addDays(covered.to, 1);
  const query = {
    startTime: earlier < oldest ? oldest : earlier,
    // Some banks refuse an end in the future; none needs one.
    ...(end > today ? {} : { endTime: end }),
  };
  const tally = new AccountTally();
  for (const account of await readDescriptors(read, institution)) {
    if (account.hasError) {
      tally.addFailed(account.id);
      continue;
    }
    const rows = await tally.attempt(account.id, () => readRows(read, account, query));
    const transactions = (rows ?? []).filter(
      ({ date }) => date >= covered.from && date <= covered.to,
    );
    if (transactions.length > 0) yield { transactions, covered };
  }
  tally.expectAny();
  yield { transactions: [], covered, unreported: [...tally.unreported] };
}

/** All rows of an account, so that an account that fails on its way brings none. */
async function readRows(
  read: ReadResource,
  { id, category, currency }: AccountDescriptor,
  query: Readonly<Record<string, string>>,
): Promise<ProviderTransaction[]> {
  const rows = new Map<string, ProviderTransaction>();
  for await (const page of listPages(read, ['accounts', id, 'transactions'], 'transactions', query))
    for (const item of page) {
      const row = toTransaction(item, { accountId: id, category, currency });
      if (row === null) continue;
      if (rows.has(row.providerTransactionId)) throw malformed('a transaction id occurs twice');
      if (rows.size >= MAX_ROWS) throw malformed('the pages do not end');
      rows.set(row.providerTransactionId, row);
    }
  return [...rows.values()];
}
