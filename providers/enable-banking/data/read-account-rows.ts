import { addDays } from '../../../domain/api/timestamps.js';
import type { ProviderTransaction, TransactionWindow } from '../../contract/provider.js';
import { isInWindow } from '../../rules/row-day.js';
import { EnableBankingFailure } from '../client/failure-table.js';
import type { AccountCall } from './account-calls.js';
import { readRows } from './read-rows.js';
import type { RemoteRow, RowContext } from './to-transaction.js';
import { withIds } from './transaction-ids.js';

/** Every bank lists 90 days; some count them by a clock that is a day ahead. */
const CERTAIN_DAYS = 89;

export interface AccountRows {
  rows: ProviderTransaction[];
  /** The first day from which the listing is complete; null = unknown. */
  completeFrom: string | null;
}

/**
 * Reads the rows of an account within a window. Earlier days than the certain ones are requested
 * with `strategy=longest`, which lists everything that the bank has; if a bank refuses the period
 * of a request, the request is repeated once without it, for all rows that the bank lists.
 */
export async function readAccountRows(
  call: AccountCall,
  { from, to }: TransactionWindow,
  context: RowContext,
): Promise<AccountRows> {
  const certain = addDays(context.today, 1 - CERTAIN_DAYS);
  const within = (rows: readonly RemoteRow[], completeFrom: string | null): AccountRows => ({
    rows: withIds(
      context.accountId,
      rows.filter(({ row }) => isInWindow(row.date, { from, to }, context.today)),
    ),
    completeFrom,
  });
  try {
    if (from < certain) {
      const query = { date_from: from, strategy: 'longest' };
      const rows = await readRows(call, query, context);
      return within(rows, earlier(oldestOf(rows), certain));
    }
    // A window up to today has no end, because pending rows may have a later day.
    const end: Record<string, string> = to < context.today ? { date_to: to } : {};
    return within(await readRows(call, { date_from: from, ...end }, context), from);
  } catch (error) {
    if (!(error instanceof EnableBankingFailure) || error.code !== 'WRONG_TRANSACTIONS_PERIOD')
      throw error;
    const rows = await readRows(call, { strategy: 'longest' }, context);
    return within(rows, oldestOf(rows));
  }
}

/** Rows older than the oldest listed one are unknown to the bank rather than withdrawn. */
const oldestOf = (rows: readonly RemoteRow[]): string | null =>
  rows.reduce<string | null>((day, { row }) => earlier(day, row.date), null);

const earlier = (day: string | null, other: string): string =>
  day !== null && day < other ? day : other;
