import { Decimal } from 'decimal.js';
import type { DayWindow, FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import { isImportedKey } from '../../../domain/imports/imported-data.js';
import {
  matchTransactions,
  type KnownRow,
  type MatchReasons,
  type UnknownRow,
} from '../../../domain/transactions/match-transactions.js';
import { findReusedIds } from '../../../domain/transactions/reused-ids.js';
import { addDays } from '../../../domain/api/timestamps.js';
import type { Tx } from '../../base/database/tx.js';
import { loadSql } from '../../base/database/load-sql.js';
import { completeAccounts, withoutAccounts, type StorableAccounts } from './store-transactions.js';

/** A complete fetch, reduced to the identifying fields of its rows. */
export interface FetchedRows {
  transactions: readonly FetchedTransaction[];
  /** The covered days; null = none. */
  window: DayWindow | null;
  /**
   * Provider ids of accounts that the fetch does not report on: their rows do not count as missing.
   */
  unreported?: readonly string[];
  /** Accounts for which it may lack rows. */
  incomplete?: readonly IncompleteAccount[];
}

/**
 * The number of days outside the window by which a stored row may lie and still match a fetched row
 * inside it.
 */
const MARGIN_DAYS = 7;

interface StoredRow {
  provider_transaction_id: string;
  transaction_id: string;
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
 * their number. Rules: domain/transactions/match-transactions.ts.
 */
export async function matchFetchedRows(
  tx: Tx,
  linkPk: bigint,
  accounts: StorableAccounts,
  { transactions, window, unreported, incomplete = [] }: FetchedRows,
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
  if (unknown.length === 0 && (!reasons.anyIdDiffers || fetched.length === 0)) return 0;
  const days = daysOf(reasons.anyIdDiffers ? fetched : unknown, window);
  const stored = await tx.$queryRawUnsafe<StoredRow[]>(
    loadSql('unseen-transactions'),
    linkPk,
    [...withoutAccounts(accounts, unreported).values()],
    addDays(days.from, -MARGIN_DAYS),
    addDays(days.to, MARGIN_DAYS),
    reasons.anyIdDiffers ? [] : ids,
    !reasons.otherSource && !reasons.anyIdDiffers,
  );
  // If some rows return under their own ids, ids are stable, so missing rows are gone; unless the
  // last fetch assigned them these ids.
  const kept = new Set(shown.map((row) => row.account_id));
  const known = stored
    .map(toKnown)
    .filter(
      ({ imported, pending, accountId }) =>
        imported ||
        reasons.anyIdDiffers ||
        reasons.partlyMatched ||
        !kept.has(accountId) ||
        (reasons.postedIdsDiffer && pending),
    );
  const complete = new Set(completeAccounts(accounts, incomplete).values());
  const { matched, displaced } = matchAll(known, fetched, have, {
    ...reasons,
    mayLackRows: (accountId) => !complete.has(accountId),
  });
  await rename(
    tx,
    linkPk,
    [...[...matched].map(([id, knownId]) => ({ knownId, id })), ...displaced.map(toPlaceholder)],
    have,
  );
  return matched.size;

  /** The row appears in no fetch under its own id, and must not get the content of another one. */
  function toPlaceholder({ id: knownId }: KnownRow): Renaming {
    const row = stored.find((each) => each.provider_transaction_id === knownId);
    return { knownId, id: `displaced ${row?.transaction_id ?? knownId}` };
  }
}

/** Fetched id → stored id, and the stored rows whose id now names another row. */
function matchAll(
  known: readonly KnownRow[],
  fetched: readonly UnknownRow[],
  have: ReadonlySet<string>,
  { mayLackRows, ...reasons }: MatchReasons & { mayLackRows: (accountId: string) => boolean },
): { matched: Map<string, string>; displaced: KnownRow[] } {
  const byId = new Map(fetched.map((row) => [row.id, row]));
  const pairs = known.flatMap((each) => {
    const row = byId.get(each.id);
    return row === undefined ? [] : [{ known: each, row }];
  });
  const unseen = known.filter(({ id }) => !byId.has(id));
  const unknown = fetched.filter(({ id }) => !have.has(id));
  const reused = findReusedIds(pairs, unseen, unknown, reasons, mayLackRows);
  const taken = new Set(reused.moved.values());
  const others = matchTransactions(
    [...unseen.filter(({ id }) => !taken.has(id)), ...reused.displaced],
    [...unknown.filter(({ id }) => !reused.moved.has(id)), ...reused.unknown],
    reasons,
  );
  const found = new Set(others.values());
  return {
    matched: new Map([...reused.moved, ...others]),
    displaced: reused.displaced.filter(({ id }) => !found.has(id)),
  };
}

interface Renaming {
  knownId: string;
  id: string;
}

/** No two current rows may share an id at any moment, so ids that are still in use are freed first. */
async function rename(
  tx: Tx,
  linkPk: bigint,
  renamings: readonly Renaming[],
  inUse: ReadonlySet<string>,
): Promise<void> {
  if (renamings.length === 0) return;
  const apply = (ids: readonly Renaming[]) =>
    tx.$executeRawUnsafe(
      loadSql('rename-transactions'),
      linkPk,
      ids.map(({ knownId }) => knownId),
      ids.map(({ id }) => id),
    );
  if (!renamings.some(({ id }) => inUse.has(id))) {
    await apply(renamings);
    return;
  }
  const freed = ({ knownId }: Renaming) => `renamed ${knownId}`;
  await apply(renamings.map((each) => ({ knownId: each.knownId, id: freed(each) })));
  await apply(renamings.map((each) => ({ knownId: freed(each), id: each.id })));
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

function toKnown(row: StoredRow): KnownRow {
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
