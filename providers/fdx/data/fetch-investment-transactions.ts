import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { FetchedInvestmentTransaction } from '../../../domain/investments/fetched-investment-transaction.js';
import type { ProviderTrades, TransactionWindow } from '../../contract/provider.js';
import { readEach, type ReadScope } from '../../http/read-scope.js';
import { isInWindow } from '../../rules/row-day.js';
import type { FdxInstitution } from '../settings.js';
import type { AccountDescriptor } from './account-descriptor.js';
import { readOfEach, type Noting } from './each-account.js';
import { isInvestment } from './fetch-holdings.js';
import { toInvestmentTransaction } from './investments/to-investment-transaction.js';
import { listPages } from './list-pages.js';
import { readAccountsOf } from './read-details.js';
import { requestedDays, type RequestedDays } from './requested-days.js';
import type { ReadResource } from './resource-reader.js';

/** Of one account; the core keeps the newest of them. */
const MAX_ROWS = 50_000;

/**
 * Reads the rows of each investment account, of which `transactions` has those that state a
 * direction. A bank that lists no rows of any of them covers no day.
 */
export async function fetchInvestmentTransactions(
  read: ReadResource,
  institution: FdxInstitution,
  window: TransactionWindow,
  { noting: all, today }: { noting: Noting; today: string },
): Promise<ProviderTrades> {
  const requested = requestedDays(institution, window, today);
  if (requested === null) return NOT_COVERED;
  const { accounts, noting } = await readAccountsOf(isInvestment, read, institution, all);
  const found = await readOfEach(accounts, noting, (account) =>
    readRows(read, account, requested, {
      today,
      scope: { account: account.id, note: noting.note },
    }),
  ).catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.providerCause === 'not_supported') return null;
    throw error;
  });
  if (found === null) return NOT_COVERED;
  return { transactions: found.flatMap(({ result }) => result), window: requested.covered };
}

const NOT_COVERED: ProviderTrades = { transactions: [], window: null };

async function readRows(
  read: ReadResource,
  { id, currency }: AccountDescriptor,
  { covered, query }: RequestedDays,
  { today, scope }: { today: string; scope: ReadScope },
): Promise<FetchedInvestmentTransaction[]> {
  const rows: FetchedInvestmentTransaction[] = [];
  const context = { accountId: id, currency, today, scope };
  const pages = listPages(read, ['accounts', id, 'transactions'], 'transactions', scope, query);
  for await (const page of pages) {
    const found = readEach(page, { ...scope, scope: 'row' }, (row) =>
      toInvestmentTransaction(row, context),
    );
    rows.push(
      ...found.filter((row) => row !== null).filter(({ date }) => isInWindow(date, covered, today)),
    );
    if (rows.length > MAX_ROWS) break;
  }
  return rows;
}
