import { batchesOf, type FetchedProduct } from '../../domain/refresh/fetched-data.js';
import type { FetchedProductRepository } from '../../prisma/work/refresh/fetched-product.repository.js';

export type ProductStore = Pick<
  FetchedProductRepository,
  | 'storeAccounts'
  | 'storeAccountNumbers'
  | 'storeIdentity'
  | 'matchTransactions'
  | 'storeTransactions'
>;

/** Counts only; rows are stored and not returned. */
export interface StoredCounts {
  created: number;
  updated: number;
  removed: number;
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
): Promise<StoredCounts> {
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
): Promise<StoredCounts> {
  if (matchRows || postedIdsDiffer)
    await store.matchTransactions(
      linkId,
      run,
      { transactions, window, unreported, incomplete },
      { postedIdsDiffer, anyIdDiffers },
    );
  const total = { created: 0, updated: 0, removed: 0 };
  for (const batch of batchesOf({ transactions, window, incomplete })) {
    const { created, updated, removed } = await store.storeTransactions(linkId, run, batch);
    total.created += created;
    total.updated += updated;
    total.removed += removed;
  }
  return total;
}

function changes({ changed }: { changed: number }): StoredCounts {
  return { created: 0, updated: changed, removed: 0 };
}
