import { Decimal } from 'decimal.js';
import type { DayWindow, FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import { isImportedKey } from '../../../domain/imports/imported-data.js';
import {
  matchTransactions,
  type KnownRow,
  type MatchableRow,
  type MatchReasons,
  type UnknownRow,
} from '../../../domain/transactions/match-transactions.js';
import { resolveSharedIds, sharedIdOf } from '../../../domain/transactions/shared-ids.js';
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

/** The statements that match the rows of one log, by name. */
export interface MatchedLog {
  known: string;
  unseen: string;
  sharing: string;
  rename: string;
  /** Records that rows of the link share ids; missing = not recorded. */
  noteSharedIds?: (tx: Tx, linkPk: bigint) => Promise<unknown>;
}

const TRANSACTIONS: MatchedLog = {
  known: 'known-transactions',
  unseen: 'unseen-transactions',
  sharing: 'transactions-sharing-ids',
  rename: 'rename-transactions',
  noteSharedIds: (tx, linkPk) =>
    tx.link.updateMany({ where: { pk: linkPk, sharesIds: false }, data: { sharesIds: true } }),
};

/** Of the statements `unseen` and `sharing`. */
interface StoredRow {
  provider_transaction_id: string;
  transaction_id: string;
  account_id: string;
  amount: string;
  type: string;
  currency: string;
  position?: string;
  date: string;
  pending: boolean;
  description: string | null;
  raw_description: string | null;
}

export interface MatchedRows {
  matched: number;
  /** Fetched id → the id to store the row under, if it differs. */
  storedIds: ReadonlyMap<string, string>;
}

/**
 * Finds rows of a locked link that the provider now reports under another id, and assigns them that
 * id: storing the fetch then updates them instead of removing one row and creating another. Rules:
 * domain/transactions/shared-ids.ts, then match-transactions.ts.
 */
export async function matchFetchedRows(
  tx: Tx,
  linkPk: bigint,
  accounts: StorableAccounts,
  { transactions, ...fetched }: FetchedRows,
  reasons: MatchReasons,
): Promise<MatchedRows> {
  const listed = transactions.flatMap((row) => {
    const accountId = accounts.get(row.providerAccountId);
    return accountId === undefined ? [] : [toUnknown(row, accountId)];
  });
  return matchListedRows(tx, linkPk, accounts, TRANSACTIONS, { listed, ...fetched }, reasons);
}

/** The same for the rows of any log; `listed` are those of storable accounts. */
export async function matchListedRows(
  tx: Tx,
  linkPk: bigint,
  accounts: StorableAccounts,
  log: MatchedLog,
  {
    listed,
    window,
    unreported,
    incomplete = [],
  }: Omit<FetchedRows, 'transactions'> & { listed: readonly UnknownRow[] },
  reasons: MatchReasons,
): Promise<MatchedRows> {
  const ids = listed.map(({ id }) => id);
  const shown = await tx.$queryRawUnsafe<{ provider_transaction_id: string; account_id: string }[]>(
    loadSql(log.known),
    linkPk,
    ids,
  );
  const have = new Set(shown.map((row) => row.provider_transaction_id));
  const unknown = listed.filter(({ id }) => !have.has(id));
  if (unknown.length === 0 && (!reasons.anyIdDiffers || listed.length === 0))
    return { matched: 0, storedIds: new Map() };
  const days = daysOf(reasons.anyIdDiffers ? listed : unknown, window);
  const unseen = await tx.$queryRawUnsafe<StoredRow[]>(
    loadSql(log.unseen),
    linkPk,
    [...withoutAccounts(accounts, unreported).values()],
    addDays(days.from, -MARGIN_DAYS),
    addDays(days.to, MARGIN_DAYS),
    reasons.anyIdDiffers ? [] : ids,
    !reasons.otherSource && !reasons.anyIdDiffers,
  );
  const complete = new Set(completeAccounts(accounts, incomplete).values());
  const mayLackRows = (accountId: string) => !complete.has(accountId);
  const sharing = await separateShared(tx, linkPk, log, unseen, listed, mayLackRows);
  const { stored, fetched, storedIds } = sharing;
  for (const id of sharing.found) have.add(id);
  // If some rows return under their own ids, ids are stable, so missing rows are gone; unless the
  // last fetch assigned them these ids.
  const kept = new Set(shown.map((row) => row.account_id));
  const known = stored
    .map(toKnown)
    .filter(({ id }) => reasons.anyIdDiffers || !sharing.found.has(id))
    .filter(
      ({ imported, pending, accountId }) =>
        imported ||
        reasons.anyIdDiffers ||
        reasons.partlyMatched ||
        !kept.has(accountId) ||
        (reasons.postedIdsDiffer && pending),
    );
  const { matched, displaced } = matchAll(known, fetched, have, { ...reasons, mayLackRows });
  await rename(
    tx,
    linkPk,
    log,
    [...[...matched].map(([id, knownId]) => ({ knownId, id })), ...displaced.map(toPlaceholder)],
    have,
  );
  return { matched: matched.size, storedIds };

  /** The row appears in no fetch under its own id, and must not get the content of another one. */
  function toPlaceholder({ id: knownId }: KnownRow): Renaming {
    const row = stored.find((each) => each.provider_transaction_id === knownId);
    return { knownId, id: `displaced ${row?.transaction_id ?? knownId}` };
  }
}

/**
 * Gives rows that share an id with others ids of their own, where the provider now reports several
 * under it, or one that has been reported with others before. `found`: the ids of fetched rows that
 * are stored.
 */
async function separateShared(
  tx: Tx,
  linkPk: bigint,
  log: MatchedLog,
  unseen: readonly StoredRow[],
  listed: readonly UnknownRow[],
  mayLackRows: (accountId: string) => boolean,
) {
  const sharing = await rowsSharing(tx, linkPk, log, [...unseen.map(toKnown), ...listed]);
  const ids = resolveSharedIds(sharing, listed, mayLackRows);
  if (listed.some(({ id }) => sharedIdOf(id) !== null)) await log.noteSharedIds?.(tx, linkPk);
  await rename(
    tx,
    linkPk,
    log,
    [...ids.stored].map(([knownId, id]) => ({ knownId, id })),
    new Set(),
  );
  const fetched = listed.map((row) => ({ ...row, id: ids.fetched.get(row.id) ?? row.id }));
  const fetchedIds = new Set(fetched.map(({ id }) => id));
  return {
    stored: unseen.map((row) => {
      const { provider_transaction_id: id } = row;
      return { ...row, provider_transaction_id: ids.stored.get(id) ?? id };
    }),
    fetched,
    storedIds: ids.fetched,
    found: new Set(
      sharing.map(({ id }) => ids.stored.get(id) ?? id).filter((id) => fetchedIds.has(id)),
    ),
  };
}

/** The rows of every id that one of `rows` shares with others. */
async function rowsSharing(
  tx: Tx,
  linkPk: bigint,
  log: MatchedLog,
  rows: readonly MatchableRow[],
): Promise<KnownRow[]> {
  const shared = [...new Set(rows.flatMap(({ id }) => sharedIdOf(id) ?? []))];
  if (shared.length === 0) return [];
  const stored = await tx.$queryRawUnsafe<StoredRow[]>(loadSql(log.sharing), linkPk, shared);
  return stored.map(toKnown);
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
  log: MatchedLog,
  renamings: readonly Renaming[],
  inUse: ReadonlySet<string>,
): Promise<void> {
  if (renamings.length === 0) return;
  const apply = (ids: readonly Renaming[]) =>
    tx.$executeRawUnsafe(
      loadSql(log.rename),
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
    ...(row.position === undefined ? {} : { position: row.position }),
    date,
    pending,
    texts: [row.description, row.raw_description],
    imported: isImportedKey(id),
  };
}
