import type { DayWindow, FetchedProduct } from '../../domain/refresh/fetched-data.js';
import type { Product } from '../../domain/link/products.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { Provider, ProviderAccess } from '../../providers/contract/provider.js';
import { readPermissionEnd } from './read-permission-end.js';
import type { SourceFaults } from '../source-faults.js';
import { boundedHoldings } from './bounded-holdings.js';
import { listAccounts } from './list-accounts.js';
import { readListing } from './read-listing.js';
import { readTrades } from './read-trades.js';

/** One fetch of one product. */
export interface FetchRequest {
  provider: Provider;
  access: ProviderAccess;
  /** Days to fetch; null for products without rows. */
  window: DayWindow | null;
  /** The faults that `access.note` collects. */
  faults: Pick<SourceFaults, 'incomplete'>;
}

/**
 * The fetch function of each product, which reads the whole listing; nothing is stored here.
 * @throws ProviderFailure
 */
export const PRODUCT_FETCHERS: Readonly<
  Record<Product, (fetch: FetchRequest) => Promise<FetchedProduct>>
> = {
  accounts: async ({ provider, access, faults }) => {
    const { accounts, unreported } = await listAccounts(provider, access, faults);
    return {
      product: 'accounts',
      accounts,
      unreported,
      permissionEndsAt: await readPermissionEnd(provider, access),
    };
  },
  account_numbers: async ({ provider, access }) => {
    if (provider.fetchAccountNumbers === undefined) throw notSupported('account_numbers');
    return { product: 'account_numbers', numbers: await provider.fetchAccountNumbers(access) };
  },
  identity: async ({ provider, access }) => {
    if (provider.fetchIdentity === undefined) throw notSupported('identity');
    return { product: 'identity', owners: await provider.fetchIdentity(access) };
  },
  transactions: async ({ provider, access, window }) => {
    if (provider.fetchTransactions === undefined || window === null)
      throw notSupported('transactions');
    return {
      product: 'transactions',
      ...(await readListing(provider.fetchTransactions(access, window), window, access)),
      ...idFactsOf(provider),
    };
  },
  investments: async ({ provider, access, window }) => {
    if (provider.fetchHoldings === undefined || window === null) throw notSupported('investments');
    const holdings = await provider.fetchHoldings(access);
    const trades = await provider.fetchInvestmentTransactions?.(access, window);
    return {
      product: 'investments',
      ...boundedHoldings(holdings, access.note),
      trades:
        trades === undefined ? null : { ...readTrades(trades, access), ...idFactsOf(provider) },
    };
  },
  liabilities: async ({ provider, access }) => {
    if (provider.fetchLiabilities === undefined) throw notSupported('liabilities');
    return { product: 'liabilities', liabilities: await provider.fetchLiabilities(access) };
  },
};

const idFactsOf = ({ facts }: Provider) => ({
  postedIdsDiffer: facts.transactionIds !== 'stable',
  anyIdDiffers: facts.transactionIds === 'unreliable',
});

function notSupported(product: Product): ProviderFailure {
  return new ProviderFailure('not_supported', `The provider does not support ${product}.`);
}
