import type { DayWindow } from '../domain/fetched-data.js';
import type { Product } from '../domain/products.js';
import { ProviderFailure } from '../domain/provider-failure.js';
import type { RefreshRepository } from '../prisma/repositories/refresh.repository.js';
import type { Provider, ProviderAccess } from '../providers/provider.js';
import { fetchTransactions } from './fetch-transactions.js';

/** One fetch of one product of one run. */
export interface Fetch {
  provider: Provider;
  access: ProviderAccess;
  linkId: string;
  /** The name of the try; what it may not write any more is refused. */
  run: string;
  /** The days to ask for; null for products that have no rows. */
  window: DayWindow | null;
  /** The ids of rows may differ from those stored. */
  matchRows: boolean;
}

export type ProductStore = Pick<RefreshRepository, 'storeAccounts' | 'storeAccountNumbers' | 'storeIdentity' | 'matchTransactions' | 'storeTransactions'>;

/** Counts only: what was brought is stored and goes no further. */
export interface Stored {
  created: number;
  updated: number;
  removed: number;
}

type FetchAndStore = (fetch: Fetch, store: ProductStore) => Promise<Stored>;

/** How each product is fetched, and stored whole. */
export const PRODUCT_FETCHERS: Readonly<Record<Product, FetchAndStore>> = {
  accounts: async ({ provider, access, linkId, run }, store) => {
    const accounts = await provider.fetchAccounts(access);
    // Nothing at all is more likely a fault than the end of every account: it closes none.
    if (accounts.length === 0) throw new ProviderFailure('no_accounts', 'The bank lists no account.');
    return changes(await store.storeAccounts(linkId, run, accounts));
  },
  account_numbers: async ({ provider, access, linkId, run }, store) => {
    if (provider.fetchAccountNumbers === undefined) throw notBrought('account_numbers');
    return changes(await store.storeAccountNumbers(linkId, run, await provider.fetchAccountNumbers(access)));
  },
  identity: async ({ provider, access, linkId, run }, store) => {
    if (provider.fetchIdentity === undefined) throw notBrought('identity');
    return changes(await store.storeIdentity(linkId, run, await provider.fetchIdentity(access)));
  },
  transactions: async ({ provider, access, linkId, run, window, matchRows }, store) => {
    if (provider.fetchTransactions === undefined || window === null) throw notBrought('transactions');
    const postedIdsDiffer = !provider.facts.pendingIdsSurvive;
    return fetchTransactions(provider.fetchTransactions(access, window), window, {
      match: async (fetched) => {
        if (matchRows || postedIdsDiffer) await store.matchTransactions(linkId, run, fetched, { postedIdsDiffer });
      },
      storeBatch: (batch) => store.storeTransactions(linkId, run, batch),
    });
  },
};

function changes({ changed }: { changed: number }): Stored {
  return { created: 0, updated: changed, removed: 0 };
}

function notBrought(product: Product): ProviderFailure {
  return new ProviderFailure('not_supported', `The provider does not bring ${product}.`);
}
