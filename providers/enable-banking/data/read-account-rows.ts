import { addDays } from '../../../domain/api/timestamps.js';
import type { ProviderTransaction, TransactionWindow } from '../../contract/provider.js';
import { EnableBankingFailure } from '../client/failure-table.js';
import type { AccountCall } from './account-calls.js';
import { readRows } from './read-rows.js';
import type { RemoteRow, RowContext } from './to-transaction.js';
import { withIds } from './transaction-ids.js';

/** Every bank lists 90 days; some count them by a clock a day ahead of ours. */
const CERTAIN_DAYS = 89;

export interface AccountRows {
  rows: ProviderTransaction[];
  /** From which day on the listing is complete; null = not known. */
  completeFrom: string | null;
}

/**
 * Reads the rows of an account within a window. Days beyond the certain ones are asked for by
 * `strategy=longest`, which lists what the bank has; a bank that refuses the period of a request is
 * asked once more, for whatever it lists.
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
      // A window up to today has no end: what is booked ahead is kept.
      rows.filter(({ row }) => row.date >= from && (row.date <= to || to >= context.today)),
    ),
    completeFrom,
  });
  try {
    if (from < certain) {
      const query = { date_from: from, strategy: 'longest' };
      const rows = await readRows(call, query, context);
      return within(rows, earlier(oldestOf(rows), certain));
    }
    // A window up to today has no end, for the sake of pending rows with a later day.
    const end: Record<string, string> = to < context.today ? { date_to: to } : {};
    return within(await readRows(call, { date_from: from, ...end }, context), from);
  } catch (error) {
    if (!(error instanceof EnableBankingFailure) || error.code !== 'WRONG_TRANSACTIONS_PERIOD')
      throw error;
    const rows = await readRows(call, { strategy: 'longest' }, context);
    return within(rows, oldestOf(rows));
  }
}

/** What is older than the oldest row is unknown to the bank rather than withdrawn. */
const oldestOf = (rows: readonly RemoteRow[]): string | null =>
  rows.reduce<string | null>((day, { row }) => earlier(day, row.date), null);

const earlier = (day: string | null, other: string): string =>
  day !== null && day < other ? day : other;
