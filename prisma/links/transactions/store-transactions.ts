import { createHash } from 'node:crypto';
import {
  MAX_BATCH,
  type DayWindow,
  type FetchedTransaction,
} from '../../../domain/refresh/fetched-data.js';
import { mayLackData, type IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import { makeIds } from '../../../domain/api/ids.js';
import { categorize } from '../../../domain/transactions/categorize.js';
import {
  kindsOfNumbers,
  type CounterpartyNumbers,
} from '../../../domain/transactions/counterparty-numbers.js';
import {
  renderTransaction,
  type TransactionFields,
} from '../../../domain/transactions/present-transaction.js';
import { NO_DETAILS } from '../../../domain/transactions/transaction-details.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { sealCounterpartyNumbers } from './sealed-counterparty-numbers.js';
import { loadSql } from '../../base/database/load-sql.js';

/**
 * The accounts whose rows may be stored: open and permitted (native-api 3.6, guarantee 7). Provider
 * id → account id.
 */
export type StorableAccounts = ReadonlyMap<string, string>;

export async function storableAccounts(tx: Tx, linkPk: bigint): Promise<StorableAccounts> {
  const accounts = await tx.$queryRaw<{ provider_account_id: string; account_id: string }[]>`
    SELECT provider_account_id, account_id FROM accounts WHERE link_pk = ${linkPk} AND permitted AND NOT closed`;
  return new Map(
    accounts.map(({ provider_account_id: providerAccountId, account_id: accountId }) => [
      providerAccountId,
      accountId,
    ]),
  );
}

/** Excludes accounts by their provider ids. */
export function withoutAccounts(
  accounts: StorableAccounts,
  providerAccountIds: readonly string[] = [],
): StorableAccounts {
  return new Map([...accounts].filter(([id]) => !providerAccountIds.includes(id)));
}

/** Excludes accounts for which a response may lack rows. */
export function completeAccounts(
  accounts: StorableAccounts,
  incomplete: readonly IncompleteAccount[],
): StorableAccounts {
  const isLacking = mayLackData(incomplete);
  return new Map([...accounts].filter(([id]) => !isLacking(id)));
}

export interface StorableTransaction extends FetchedTransaction {
  /** The id that an app assigned when it imported the row. */
  originalId?: string | null;
  /** The row comes from an app rather than from an institution. */
  imported?: boolean;
}

/**
 * The ids that an app assigned to rows of a batch on import, by provider id. They stay with the
 * row.
 */
export async function originalIds(
  tx: Tx,
  linkPk: bigint,
  transactions: readonly FetchedTransaction[],
): Promise<Map<string, string>> {
  const rows = await tx.transactionVersion.findMany({
    where: {
      linkPk,
      nextSeq: null,
      removed: false,
      originalId: { not: null },
      providerTransactionId: { in: transactions.map((row) => row.providerTransactionId) },
    },
    select: { providerTransactionId: true, originalId: true },
  });
  return new Map(
    rows.map(({ providerTransactionId, originalId }) => [providerTransactionId, originalId ?? '']),
  );
}

/**
 * Stores one batch into a locked link. Rows of other accounts are dropped; unchanged rows are not
 * written.
 */
export async function storeTransactionBatch(
  ctx: Pick<Context, 'random' | 'sealer'>,
  tx: Tx,
  { pk: linkPk, linkId }: Pick<Link, 'pk' | 'linkId'>,
  accounts: StorableAccounts,
  transactions: readonly StorableTransaction[],
): Promise<{ created: number; updated: number }> {
  if (transactions.length > MAX_BATCH)
    throw new RangeError(`a batch has at most ${MAX_BATCH} rows`);
  const newIds = makeIds('transaction', transactions.length, ctx.random);
  const rows = [
    ...new Map(transactions.map((row) => [row.providerTransactionId, row])).values(),
  ].flatMap((row, index) => {
    const accountId = accounts.get(row.providerAccountId);
    return accountId === undefined ? [] : [prepare(row, accountId, newIds[index] ?? '')];
  });
  if (rows.length === 0) return { created: 0, updated: 0 };
  const sealed = await sealCounterpartyNumbers(
    ctx.sealer,
    tx,
    linkId,
    rows.map((row) => row.counterpartyNumbers),
  );
  const [counts] = await tx.$queryRawUnsafe<{ created: number; updated: number }[]>(
    loadSql('store-transactions'),
    linkPk,
    rows.map((row) => row.providerTransactionId),
    rows.map((row) => row.newId),
    rows.map((row) => row.fields.accountId),
    rows.map((row) => row.fields.amount.toFixed()),
    rows.map((row) => row.fields.type),
    rows.map((row) => row.fields.currency),
    rows.map((row) => row.fields.date),
    rows.map((row) => row.fields.pending),
    rows.map((row) => row.fields.category),
    rows.map((row) => row.contentHash),
    // A line for each row, since JSON has no line breaks: an array would escape every quote.
    rows.map((row) => row.bodyTail).join('\n'),
    rows.map((row) => row.fields.originalId),
    sealed,
  );
  return counts ?? { created: 0, updated: 0 };
}

/**
 * Removes rows that are missing from a complete fetch of `covered`, for the accounts that the fetch
 * could see.
 */
export async function removeUnseenTransactions(
  tx: Tx,
  linkPk: bigint,
  accounts: StorableAccounts,
  covered: DayWindow,
  seenIds: readonly string[],
): Promise<number> {
  const [counts] = await tx.$queryRawUnsafe<{ removed: number }[]>(
    loadSql('remove-transactions'),
    linkPk,
    covered.from,
    covered.to,
    [...accounts.values()],
    [...seenIds],
  );
  return counts?.removed ?? 0;
}

function prepare(row: StorableTransaction, accountId: string, newId: string) {
  const { amount, type, currency, date, datetime, description, rawDescription, pending } = row;
  const { details = NO_DETAILS, counterpartyNumbers = null } = row;
  const fields: TransactionFields = {
    accountId,
    amount,
    type,
    currency,
    date,
    datetime,
    description,
    rawDescription,
    pending,
    ...categorize({
      type,
      category: row.category,
      imported: row.imported ?? false,
      mcc: details.merchant?.mcc ?? null,
      bankTransactionCode: row.bankTransactionCode ?? null,
    }),
    originalId: row.originalId ?? null,
    details,
  };
  const bodyTail = renderTransaction(newId, fields).slice(`{"transaction_id":"${newId}"`.length);
  return {
    providerTransactionId: row.providerTransactionId,
    newId,
    fields,
    counterpartyNumbers,
    contentHash: contentHash(bodyTail, counterpartyNumbers),
    bodyTail,
  };
}

/**
 * Detects changes: a digest of every public field but the id, and of the kinds of numbers. The
 * numbers themselves are left out, because a digest without a key shows them to a guess.
 */
function contentHash(bodyTail: string, numbers: CounterpartyNumbers | null): string {
  const hash = createHash('sha256').update(bodyTail);
  return (numbers === null ? hash : hash.update(kindsOfNumbers(numbers))).digest('hex');
}
