import { makeId } from '../../../domain/api/ids.js';
import {
  importedAccountKey,
  importedRowKey,
  type ImportedAccount,
  type ImportedTransaction,
} from '../../../domain/imports/imported-data.js';
import type { Product } from '../../../domain/link/products.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { clockOf } from '../../worlds/world-clock.js';
import { recordBalances } from '../accounts/record-balances.js';
import { storeTransactionBatch, type StorableTransaction } from './store-transactions.js';

/** Rows prepared before yielding to other calls of the same process. */
const BATCH = 250;

export async function storeImportedAccounts(
  ctx: Context,
  tx: Tx,
  link: Link,
  accounts: readonly ImportedAccount[],
): Promise<void> {
  const { random, clock } = ctx;
  await tx.$executeRawUnsafe(
    loadSql('import-accounts'),
    link.pk,
    clock().toISOString(),
    accounts.map(() => makeId('account', random)),
    accounts.map(({ originalId }) => importedAccountKey(originalId)),
    accounts.map(({ originalId }) => originalId),
    accounts.map(({ accountType }) => accountType),
    accounts.map(({ name }) => name),
    accounts.map(({ nickname }) => nickname),
    accounts.map(({ mask }) => mask),
    accounts.map(({ currency }) => currency),
    accounts.map(({ available }) => available?.toFixed() ?? null),
    accounts.map(({ current }) => current?.toFixed() ?? null),
    accounts.map(({ limit }) => limit?.toFixed() ?? null),
    accounts.map(({ balanceDate }) => balanceDate?.toISOString() ?? null),
  );
  await recordBalances(ctx, tx, link);
}

/** @returns the number of versions written */
export async function storeImportedRows(
  ctx: Context,
  tx: Tx,
  link: Link,
  transactions: readonly ImportedTransaction[],
): Promise<number> {
  if (transactions.length === 0) return 0;
  const accounts = await tx.account.findMany({
    where: { linkPk: link.pk },
    select: { accountId: true, providerAccountId: true, currency: true },
  });
  const currencies = new Map(
    accounts.map(({ providerAccountId, currency }) => [providerAccountId, currency]),
  );
  const ids = new Map(
    accounts.map(({ providerAccountId, accountId }) => [providerAccountId, accountId]),
  );
  let written = 0;
  for (let from = 0; from < transactions.length; from += BATCH) {
    const rows = transactions
      .slice(from, from + BATCH)
      .map((row) => toStorable(row, currencies, ctx.uuid()));
    const { created, updated } = await storeTransactionBatch(ctx, tx, link, ids, rows);
    written += created + updated;
  }
  return written;
}

/** link-lifecycle 11: imported data is readable as if it had just been fetched. */
export async function completeImport(
  ctx: Context,
  tx: Tx,
  link: Link,
  products: readonly Product[],
): Promise<void> {
  const now = await clockOf(ctx, tx, link);
  await tx.linkProduct.updateMany({
    where: { linkPk: link.pk, product: { in: [...products] } },
    data: { state: 'completed', stateChangedAt: ctx.clock(), refreshedAt: now },
  });
  await tx.link.update({
    where: { pk: link.pk },
    data: { lastSyncedAt: now, matchRows: true, revision: { increment: 1 } },
  });
}
function toStorable(
  { accountOriginalId, ...row }: ImportedTransaction,
  currencies: ReadonlyMap<string, string>,
  unique: string,
): StorableTransaction {
  const providerAccountId = importedAccountKey(accountOriginalId);
  return {
    ...row,
    providerAccountId,
    providerTransactionId: importedRowKey(
      { accountOriginalId, originalId: row.originalId },
      unique,
    ),
    currency: currencies.get(providerAccountId) ?? '',
    rawDescription: null,
    pending: false,
    imported: true,
  };
}
