import { Decimal } from 'decimal.js';
import type { DayWindow, FetchedTransaction } from '../../domain/refresh/fetched-data.js';
import { isImportedKey } from '../../domain/imports/imported-data.js';
import {
  matchTransactions,
  type KnownRow,
  type MatchReasons,
  type UnknownRow,
} from '../../domain/transactions/match-transactions.js';
import { addDays } from '../../domain/api/timestamps.js';
import type { Tx } from '../database/tx.js';
import { loadSql } from '../database/load-sql.js';
import { withoutAccounts, type StorableAccounts } from './store-transactions.js';

/** A complete fetch, reduced to what identifies its rows. */
export interface FetchedRows {
  transactions: readonly FetchedTransaction[];
  /** The covered days; null = none. */
  window: DayWindow | null;
  /** Provider ids of accounts of which the fetch says nothing: their rows are not missing. */
  unreported?: readonly string[];
}

/**
 * How many days outside the window a stored row may lie and still match a fetched row inside it.
 */
const MARGIN_DAYS = 7;

interface UnseenRow {
  provider_transaction_id: string;
  account_id: string;
  amount: string;
  type: 'debit' | 'credit';
  currency: string;
  date: string;
  pending: boolean;
  description: string | null;
  raw_description: string | null;
}

/**
 * Finds rows of a locked link that the provider now reports under another id, and assigns them that
 * id: storing the fetch then updates them instead of removing one row and creating another. Returns
 * how many there were. Rules: domain/transactions/match-transactions.ts.
 */
export async function matchFetchedRows(
  tx: Tx,
  linkPk: bigint,
  accounts: StorableAccounts,
  { transactions, window, unreported }: FetchedRows,
  reasons: MatchReasons,
): Promise<number> {
  const fetched = transactions.flatMap((row) => {
    const accountId = accounts.get(row.providerAccountId);
    return accountId === undefined ? [] : [toUnknown(row, accountId)];
  });
  const ids = fetched.map(({ id }) => id);
  const shown = await tx.$queryRawUnsafe<{ provider_transaction_id: string; account_id: string }[]>(
    loadSql('known-transactions'),
    linkPk,
    ids,
  );
  const have = new Set(shown.map((row) => row.provider_transaction_id));
  const unknown = fetched.filter(({ id }) => !have.has(id));
  if (unknown.length === 0) return 0;
  const days = daysOf(unknown, window);
  const unseen = await tx.$queryRawUnsafe<UnseenRow[]>(
    loadSql('unseen-transactions'),
    linkPk,
    [...withoutAccounts(accounts, unreported).values()],
    addDays(days.from, -MARGIN_DAYS),
    addDays(days.to, MARGIN_DAYS),
    ids,
    !reasons.otherSource && !reasons.anyIdDiffers,
  );
  // Where some rows come back under their own ids, ids are stable: missing rows are gone.
  const kept = new Set(shown.map((row) => row.account_id));
  const known = unseen
    .map(toKnown)
    .filter(
      ({ imported, pending, accountId }) =>
        imported ||
        reasons.anyIdDiffers ||
        !kept.has(accountId) ||
        (reasons.postedIdsDiffer && pending),
    );
  const matched = matchTransactions(known, unknown, reasons);
  if (matched.size > 0)
    await tx.$executeRawUnsafe(
      loadSql('rename-transactions'),
      linkPk,
      [...matched.values()],
      [...matched.keys()],
    );
  return matched.size;
}

function daysOf(rows: readonly UnknownRow[], window: DayWindow | null): DayWindow {
  const days = [
    ...rows.map(({ date }) => date),
    ...(window === null ? [] : [window.from, window.to]),
  ].sort();
  return { from: days[0] ?? '', to: days.at(-1) ?? '' };
}

function toUnknown(
  {
    providerTransactionId: id,
    amount,
    type,
    currency,
    date,
    pending,
    description,
    rawDescription,
    replaces,
  }: FetchedTransaction,
  accountId: string,
): UnknownRow {
  return {
    id,
    accountId,
    amount,
    type,
    currency,
    date,
    pending,
    texts: [description, rawDescription],
    replaces: replaces ?? null,
  };
}

function toKnown(row: UnseenRow): KnownRow {
  const { provider_transaction_id: id, account_id: accountId, type, currency, date, pending } = row;
  return {
    id,
    accountId,
    amount: new Decimal(row.amount),
    type,
    currency,
    date,
    pending,
    texts: [row.description, row.raw_description],
    imported: isImportedKey(id),
  };
}
