import type {
  FetchedAccount,
  FetchedAccountNumbers,
  FetchedAccountOwners,
  FetchedInvestments,
  FetchedListing,
  FetchedProduct,
  TransactionBatch,
} from '../../../domain/refresh/fetched-data.js';
import type { FetchedLiability } from '../../../domain/liabilities/liability.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Product } from '../../../domain/link/products.js';
import { ordinarySource } from '../../../domain/refresh/source-facts.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { DEFAULT_REFRESH_RULES, type RefreshRules } from './count-run.js';
import { fetchAccess, type FetchAccess } from './fetch-access.js';
import {
  matchFetchedRows,
  type FetchedRows,
  type MatchedRows,
} from '../../links/transactions/match-fetched-rows.js';
import { lockFetchedProduct } from './refresh-fence.js';
import {
  hasNewSource,
  wasIncomplete,
  storeProduct,
  storeRows,
  type FetchInProgress,
  type StoredTransactions,
} from './store-product.js';
import { storableAccounts } from '../../links/transactions/store-transactions.js';
import { keepUpdateState, updateAccess, type UpdateAccess } from './update-access.js';

/**
 * The facts that a call of the bank needs, and the data that it stores. Every write locks the link, and throws
 * `StaleRefreshRun` when a newer run or attempt replaced this one, the link ended, or the product
 * has been settled.
 */
export class FetchedProductRepository {
  constructor(
    private readonly ctx: Context,
    private readonly rules: RefreshRules = DEFAULT_REFRESH_RULES,
  ) {}

  /** The facts of a fetch in progress. Null = the product is not being fetched. */
  access(linkId: string, product: Product): Promise<FetchAccess | null> {
    return fetchAccess(this.ctx, linkId, product);
  }

  /**
   * Stores the accounts that the institution lists, and the end of the permission if reported;
   * completes the product. `incomplete`: accounts that stay as they are if the list omits them.
   */
  storeAccounts(
    linkId: string,
    run: string,
    accounts: readonly FetchedAccount[],
    more: {
      permissionEndsAt?: Date | null | undefined;
      incomplete?: readonly IncompleteAccount[] | undefined;
    } = {},
  ): Promise<{ changed: number }> {
    return this.storeWhole(linkId, run, { product: 'accounts', accounts, ...more });
  }

  /** Stores the account numbers and completes the product. */
  storeAccountNumbers(
    linkId: string,
    run: string,
    numbers: readonly FetchedAccountNumbers[],
    incomplete: readonly IncompleteAccount[] = [],
  ): Promise<{ changed: number }> {
    return this.storeWhole(linkId, run, { product: 'account_numbers', numbers, incomplete });
  }

  /** Stores the account owners and completes the product. */
  storeIdentity(
    linkId: string,
    run: string,
    owners: readonly FetchedAccountOwners[],
    incomplete: readonly IncompleteAccount[] = [],
  ): Promise<{ changed: number }> {
    return this.storeWhole(linkId, run, { product: 'identity', owners, incomplete });
  }

  /**
   * Matches the rows of a complete fetch with rows stored under other ids, before the first one is
   * stored. The ids of posted rows differ unless `facts.transactionIds` is `stable`; any id may
   * differ if it is `unreliable`. `storedIds`: fetched id → the id to store it under, for rows that
   * shared their id with others.
   */
  async matchTransactions(
    linkId: string,
    run: string,
    fetched: FetchedRows,
    {
      postedIdsDiffer,
      anyIdDiffers = false,
    }: Pick<FetchedListing, 'postedIdsDiffer' | 'anyIdDiffers'>,
  ): Promise<MatchedRows> {
    return this.ctx.database.transaction(async (tx) => {
      const { link, row } = await lockFetchedProduct(tx, linkId, run, 'transactions');
      const accounts = await storableAccounts(tx, link.pk);
      return matchFetchedRows(tx, link.pk, accounts, fetched, {
        postedIdsDiffer,
        anyIdDiffers,
        otherSource: hasNewSource(link),
        partlyMatched: wasIncomplete(row),
      });
    });
  }

  /**
   * Stores a batch; the last one removes rows that are missing inside its window, and completes the
   * product.
   */
  async storeTransactions(
    linkId: string,
    run: string,
    batch: TransactionBatch,
  ): Promise<StoredTransactions> {
    return this.ctx.database.transaction(async (tx) =>
      storeRows(this.ctx, tx, await this.inProgress(tx, linkId, run, 'transactions'), batch),
    );
  }

  /** The facts of an update before a run. Null = the run is stale, or has nothing to fetch. */
  async updateAccess(linkId: string, run: string): Promise<UpdateAccess | null> {
    return updateAccess(this.ctx, linkId, run, this.rules.sources ?? ordinarySource);
  }

  /** The state that the next call of the update receives; null = none. */
  async keepUpdateState(
    permission: Pick<UpdateAccess, 'linkId' | 'reference'>,
    run: string,
    state: Uint8Array | null,
  ): Promise<void> {
    await keepUpdateState(this.ctx, permission, run, state);
  }

  /** Stores holdings and trades, and completes the product. */
  storeInvestments(
    linkId: string,
    run: string,
    fetched: FetchedInvestments,
    incomplete: readonly IncompleteAccount[] = [],
  ): Promise<{ changed: number }> {
    const { accounts, holdings, trades } = fetched;
    return this.storeWhole(linkId, run, {
      product: 'investments',
      accounts,
      holdings,
      trades,
      incomplete,
    });
  }

  /** Stores the debts and completes the product. */
  storeLiabilities(
    linkId: string,
    run: string,
    liabilities: readonly FetchedLiability[],
    incomplete: readonly IncompleteAccount[] = [],
  ): Promise<{ changed: number }> {
    return this.storeWhole(linkId, run, { product: 'liabilities', liabilities, incomplete });
  }

  private storeWhole(
    linkId: string,
    run: string,
    fetched: Exclude<FetchedProduct, { product: 'transactions' }>,
  ): Promise<{ changed: number }> {
    return this.ctx.database.transaction(async (tx) =>
      storeProduct(this.ctx, tx, await this.inProgress(tx, linkId, run, fetched.product), fetched),
    );
  }

  private async inProgress(
    tx: Tx,
    linkId: string,
    run: string,
    product: Product,
  ): Promise<FetchInProgress> {
    const found = await lockFetchedProduct(tx, linkId, run, product);
    return { ...found, source: this.rules.sources?.(found.link.provider) };
  }
}
