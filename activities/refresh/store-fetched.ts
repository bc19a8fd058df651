import {
  batchesOf,
  type FetchedProduct,
  type FetchedTransaction,
} from '../../domain/refresh/fetched-data.js';
import { sharedIdOf } from '../../domain/transactions/shared-ids.js';
import type { FetchedProductRepository } from '../../prisma/work/refresh/fetched-product.repository.js';

export type ProductStore = Pick<
  FetchedProductRepository,
  | 'storeAccounts'
  | 'storeAccountNumbers'
  | 'storeIdentity'
  | 'storeInvestments'
  | 'storeLiabilities'
  | 'matchTransactions'
  | 'storeTransactions'
>;

/** Counts only; rows are stored and not returned. */
export interface StoredCounts {
  created: number;
  updated: number;
  removed: number;
}

/** A completed fetch of transactions may have changed the recurring payments of a link that announces them. */
export interface StoredFetch extends StoredCounts {
  mayChangeStreams?: true;
}

/** The attempt the rows belong to, and whether row ids may differ from those stored. */
export interface StoreTarget {
  linkId: string;
  run: string;
  matchRows: boolean;
}

/** Stores the result of one fetch, in as many database transactions as its rows need. */
export async function storeFetched(
  store: ProductStore,
  fetched: FetchedProduct,
  storing: StoreTarget,
): Promise<StoredFetch> {
  const { linkId, run } = storing;
  const { incomplete } = fetched;
  switch (fetched.product) {
    case 'accounts':
      return changes(
        await store.storeAccounts(linkId, run, fetched.accounts, {
          permissionEndsAt: fetched.permissionEndsAt,
          incomplete,
        }),
      );
    case 'account_numbers':
      return changes(await store.storeAccountNumbers(linkId, run, fetched.numbers, incomplete));
    case 'identity':
      return changes(await store.storeIdentity(linkId, run, fetched.owners, incomplete));
    case 'investments':
      return changes(await store.storeInvestments(linkId, run, fetched, incomplete));
    case 'liabilities':
      return changes(await store.storeLiabilities(linkId, run, fetched.liabilities, incomplete));
    case 'transactions':
      return storeListing(store, fetched, storing);
  }
}

async function storeListing(
  store: ProductStore,
  {
    transactions,
    window,
    unreported = [],
    incomplete = [],
    postedIdsDiffer,
    anyIdDiffers = false,
  }: Extract<FetchedProduct, { product: 'transactions' }>,
  { linkId, run, matchRows }: StoreTarget,
): Promise<StoredFetch> {
  const ids =
    matchRows || postedIdsDiffer || transactions.some(hasSharedId)
      ? await store.matchTransactions(
          linkId,
          run,
          { transactions, window, unreported, incomplete },
          { postedIdsDiffer, anyIdDiffers },
        )
      : NO_OTHER_IDS;
  const total: StoredFetch = { created: 0, updated: 0, removed: 0 };
  const rows = underStoredIds(transactions, ids.storedIds);
  for (const batch of batchesOf({ transactions: rows, window, incomplete })) {
    const stored = await store.storeTransactions(linkId, run, batch);
    total.created += stored.created;
    total.updated += stored.updated;
    total.removed += stored.removed;
    if (stored.mayChangeStreams) total.mayChangeStreams = true;
  }
  return total;
}

const NO_OTHER_IDS = { storedIds: new Map<string, string>() };

const hasSharedId = ({ providerTransactionId: id }: FetchedTransaction): boolean =>
  sharedIdOf(id) !== null;

function underStoredIds(
  transactions: readonly FetchedTransaction[],
  storedIds: ReadonlyMap<string, string>,
): readonly FetchedTransaction[] {
  if (storedIds.size === 0) return transactions;
  return transactions.map((row) => {
    const storedId = storedIds.get(row.providerTransactionId);
    return storedId === undefined ? row : { ...row, providerTransactionId: storedId };
  });
}

function changes({ changed }: { changed: number }): StoredCounts {
  return { created: 0, updated: changed, removed: 0 };
}
