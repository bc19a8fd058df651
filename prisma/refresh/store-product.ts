import type {
  FetchedProduct,
  FetchedTransaction,
  TransactionBatch,
} from '../../domain/refresh/fetched-data.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { isPermissionNewer, type ProductRow } from './refresh-fence.js';
import { completeProduct, type AskAgain } from './settle-product.js';
import { storeAccountNumbers } from '../accounts/store-account-numbers.js';
import { storeAccountOwners } from '../accounts/store-account-owners.js';
import { storeListedAccounts } from '../accounts/store-accounts.js';
import { storePermissionEnd } from '../links/store-permission-end.js';
import {
  originalIds,
  removeUnseenTransactions,
  storableAccounts,
  storeTransactionBatch,
  type StorableTransaction,
} from '../transactions/store-transactions.js';
import { announce } from '../events/announce.js';
import type { LinkRow } from '../events/record-webhook-event.js';

/** A product that is under way, of a locked link. */
export interface UnderWay {
  link: LinkRow;
  row: ProductRow;
  /** Who is told that a second pass is to follow; `requestRefresh` unless given. */
  askAgain?: AskAgain;
}

export interface StoredTransactions {
  created: number;
  updated: number;
  removed: number;
}

/** Stores a product that has no rows, and completes it. Answers how many accounts changed. */
export async function storeProduct(
  ctx: Context,
  tx: Tx,
  { link, row, askAgain }: UnderWay,
  fetched: Exclude<FetchedProduct, { product: 'transactions' }>,
): Promise<{ changed: number }> {
  const changed = await storeWhole(ctx, tx, { link, row }, fetched);
  await completeProduct(ctx, tx, link, row, askAgain);
  return { changed };
}

/** A first fetch changes nothing, so only later ones announce changes. */
async function storeWhole(
  ctx: Context,
  tx: Tx,
  { link, row }: UnderWay,
  fetched: Exclude<FetchedProduct, { product: 'transactions' }>,
): Promise<number> {
  const isFirst = row.refreshedAt === null;
  switch (fetched.product) {
    case 'accounts': {
      const changed = await storeListedAccounts(ctx, tx, link, fetched.accounts);
      if (fetched.permissionEndsAt !== undefined)
        await storePermissionEnd(ctx, tx, link, fetched.permissionEndsAt);
      return changed;
    }
    case 'account_numbers': {
      const changed = await storeAccountNumbers(ctx, tx, link, fetched.numbers);
      if (!isFirst) await announce(ctx, tx, link, { kind: 'numbers_changed', changes: changed });
      return changed.length;
    }
    case 'identity': {
      const changed = await storeAccountOwners(ctx, tx, link.pk, fetched.owners);
      if (!isFirst) await announce(ctx, tx, link, { kind: 'owners_changed', changes: changed });
      return changed.length;
    }
  }
}

/** Stores a batch of rows; the last one removes what the fetch did not show inside its window and completes the product. */
export async function storeRows(
  ctx: Context,
  tx: Tx,
  { link, row, askAgain }: UnderWay,
  batch: TransactionBatch,
): Promise<StoredTransactions> {
  const accounts = await storableAccounts(tx, link.pk);
  const { created, updated } = await storeTransactionBatch(
    tx,
    link.pk,
    accounts,
    await withOriginalIds(tx, link, batch.transactions),
    ctx.random,
  );
  if (!batch.last) return { created, updated, removed: 0 };
  const seen = [
    ...batch.seenIds,
    ...batch.transactions.map(({ providerTransactionId }) => providerTransactionId),
  ];
  const removed =
    batch.window === null
      ? 0
      : await removeUnseenTransactions(tx, link.pk, accounts, batch.window, seen);
  // A relink meanwhile has its own fetch.
  if (link.matchRows && !(await isPermissionNewer(tx, row)))
    await tx.link.update({ where: { pk: link.pk }, data: { matchRows: false } });
  await completeProduct(ctx, tx, link, row, askAgain);
  return { created, updated, removed };
}

/** Only rows of an imported link can have such ids. */
async function withOriginalIds(
  tx: Tx,
  { pk, importedAt }: LinkRow,
  transactions: readonly FetchedTransaction[],
): Promise<readonly StorableTransaction[]> {
  if (importedAt === null) return transactions;
  const ids = await originalIds(tx, pk, transactions);
  return transactions.map((row) => ({
    ...row,
    originalId: ids.get(row.providerTransactionId) ?? null,
  }));
}

/** Another permission or provider serves the link since its last complete fetch, or an app brought its rows. */
export function hasOtherSource({
  matchRows,
  importedAt,
}: Pick<LinkRow, 'matchRows' | 'importedAt'>): boolean {
  return matchRows || importedAt !== null;
}
