import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import type {
  ProviderAccess,
  ProviderTransactionPage,
  TransactionWindow,
} from '../../contract/provider.js';
import { readEachAccount, type DataParts } from './account-calls.js';
import { readAccountRows } from './read-account-rows.js';

export const HISTORY_DAYS = 730;

/** Reads the window of every account, and returns one page: the covered days apply to all. */
export async function* fetchTransactions(
  parts: DataParts,
  access: ProviderAccess,
  window: TransactionWindow,
): AsyncGenerator<ProviderTransactionPage> {
  const today = utcDay(parts.now());
  const oldest = addDays(today, 1 - HISTORY_DAYS);
  const asked = { from: window.from < oldest ? oldest : window.from, to: window.to };
  if (asked.from > asked.to || asked.from > today) return yield { transactions: [], covered: null };

  const { read, unreported } = await readEachAccount(parts, access, (account, call, scope) =>
    readAccountRows(call, asked, {
      accountId: account.id,
      accountCurrency: account.currency,
      today,
      scope,
    }),
  );
  yield {
    transactions: read.flatMap(({ rows }) => rows),
    covered: coveredBy(
      asked,
      read.map(({ completeFrom }) => completeFrom),
    ),
    unreported,
  };
}

/** The days that the listings of all accounts cover. */
export function coveredBy(
  asked: TransactionWindow,
  starts: readonly (string | null)[],
): TransactionWindow | null {
  let { from } = asked;
  for (const start of starts) {
    if (start === null) return null;
    if (start > from) from = start;
  }
  return from > asked.to ? null : { from, to: asked.to };
}
