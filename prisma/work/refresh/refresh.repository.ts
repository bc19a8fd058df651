import type {
  FetchedAccount,
  FetchedAccountNumbers,
  FetchedAccountOwners,
  FetchedListing,
  FetchedProduct,
  TransactionBatch,
} from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Product } from '../../../domain/link/products.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import { ordinarySource } from '../../../domain/refresh/source-facts.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { beginProducts, startProducts } from './start-products.js';
import { countRun, DEFAULT_REFRESH_RULES, type RefreshRules } from './count-run.js';
import { failProduct, type FailureDetail } from './fail-product.js';
import { fetchAccess, type FetchAccess } from './fetch-access.js';
import { forgetLoginUser } from './login-user.js';
import { lockLink } from '../../links/link/link-transition.js';
import { matchFetchedRows, type FetchedRows } from '../../links/transactions/match-fetched-rows.js';
import {
  findProduct,
  isLatestAttempt,
  judgeProduct,
  lockLinkOfRun,
  lockLiveLink,
  lockFetchedProduct,
  attemptName,
} from './refresh-fence.js';
import { requeueOverdue } from './requeue-overdue.js';
import { requestProviderRefresh } from './request-provider-refresh.js';
import { requestRefresh, type RefreshCause } from './request-refresh.js';
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
import { isFetchable, takeRefreshRequests, type RefreshRun } from './take-refresh-requests.js';
import type { Link } from '../../generated/client.js';

export type { FetchAccess } from './fetch-access.js';
export type { RefreshRun } from './take-refresh-requests.js';

/**
 * The database side of a refresh. Every write of a run locks the link, and is rejected when a newer
 * run replaced this one, the link ended, or the product has been settled: storing throws
 * `StaleRefreshRun`, everything else does nothing.
 */
export class RefreshRepository {
  constructor(
    private readonly ctx: Context,
    private readonly rules: RefreshRules = DEFAULT_REFRESH_RULES,
  ) {}

  /** Requests a fetch of products, in the caller's transaction. */
  async requestProducts(
    tx: Tx,
    linkPk: bigint,
    products: readonly Product[],
    cause: RefreshCause,
  ): Promise<void> {
    await requestRefresh(this.ctx, tx, await lockLink(tx, linkPk), products, cause);
  }

  /** See `requestProviderRefresh`; in the caller's transaction. */
  async requestProviderRefresh(
    tx: Tx,
    linkPk: bigint,
    products: readonly Product[],
  ): Promise<boolean> {
    return requestProviderRefresh(this.ctx, tx, linkPk, products, this.rules);
  }

  /**
   * Starts a run with everything that is waiting or was left unfinished; null = nothing to do.
   * Earlier runs may no longer write. Starts the fetch of each product in the same transaction,
   * except where the source is updated first: there `beginProduct` does so before and after the
   * update.
   */
  async beginRun(linkId: string): Promise<RefreshRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLiveLink(tx, linkId);
      if (link === null) return null;
      const also = { revision: { increment: 1 } };
      const run = await takeRefreshRequests(this.ctx, tx, link, null, also, this.rules.sources);
      return run === null || run.updatesFirst === true
        ? run
        : beginProducts(this.ctx, tx, link, run);
    });
  }

  /**
   * Adds products requested since then to the current run; null = nothing new, or the run is stale.
   */
  async joinRun(linkId: string, run: string): Promise<RefreshRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      return link === null
        ? null
        : takeRefreshRequests(this.ctx, tx, link, run, {}, this.rules.sources);
    });
  }

  /**
   * "Fetch begins". Returns the name of the attempt, which its writes carry; null = the product
   * must not be fetched now. A product that a lost run left unfinished starts again: the same
   * fetch, another attempt.
   */
  async beginProduct(linkId: string, run: string, product: Product): Promise<string | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (link === null || row === null || !row.granted || !isFetchable(link)) return null;
      const verdict = judgeProduct(row, 'fetch_begins');
      if (verdict.kind === 'refused') return null;
      return this.markAttempt(tx, link, product);
    });
  }

  /**
   * "Fetch retried internally", after the latest attempt. Returns as `beginProduct` does; the
   * previous attempt may no longer write.
   */
  async retriedProduct(linkId: string, run: string, product: Product): Promise<string | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (
        link === null ||
        row === null ||
        !isLatestAttempt(link, row, run) ||
        judgeProduct(row, 'fetch_retried').kind !== 'change'
      )
        return null;
      return this.markAttempt(tx, link, product);
    });
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
   * differ if it is `unreliable`.
   */
  async matchTransactions(
    linkId: string,
    run: string,
    fetched: FetchedRows,
    {
      postedIdsDiffer,
      anyIdDiffers = false,
    }: Pick<FetchedListing, 'postedIdsDiffer' | 'anyIdDiffers'>,
  ): Promise<{ matched: number }> {
    return this.ctx.database.transaction(async (tx) => {
      const { link, row } = await lockFetchedProduct(tx, linkId, run, 'transactions');
      const accounts = await storableAccounts(tx, link.pk);
      return {
        matched: await matchFetchedRows(tx, link.pk, accounts, fetched, {
          postedIdsDiffer,
          anyIdDiffers,
          otherSource: hasNewSource(link),
          partlyMatched: wasIncomplete(row),
        }),
      };
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

  /**
   * "Final failure" of the latest attempt; `failProduct` decides the consequences when the
   * permission has ended. Returns the provider and institution of the link; null = another attempt
   * replaced this one.
   */
  async failProduct(
    linkId: string,
    run: string,
    product: Product,
    cause: ProviderCause,
    detail: FailureDetail = {},
  ): Promise<Pick<Link, 'provider' | 'institutionId'> | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (link === null || row === null || !isLatestAttempt(link, row, run)) return null;
      await failProduct(this.ctx, tx, link, row, cause, detail);
      return { provider: link.provider, institutionId: link.institutionId };
    });
  }

  /** Ends the run, and counts it once toward consecutive failures. */
  async finishRun(
    linkId: string,
    run: string,
    { anySucceeded }: { anySucceeded: boolean },
  ): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      if (link === null || link.finishedRun >= link.refreshRun) return;
      await countRun(this.ctx, tx, link, anySucceeded, this.rules);
      await forgetLoginUser(tx, link.pk);
    });
  }

  /** See `fetchAccess`. */
  access(linkId: string, product: Product): Promise<FetchAccess | null> {
    return fetchAccess(this.ctx, linkId, product);
  }

  /** See `updateAccess`. */
  async updateAccess(linkId: string, run: string): Promise<UpdateAccess | null> {
    return updateAccess(this.ctx, linkId, run, this.rules.sources ?? ordinarySource);
  }

  /** See `keepUpdateState`. */
  async keepUpdateState(
    permission: Pick<UpdateAccess, 'linkId' | 'reference'>,
    run: string,
    state: Uint8Array | null,
  ): Promise<void> {
    await keepUpdateState(this.ctx, permission, run, state);
  }

  /** For the sweeper: `now` is real time. Returns the number of restarted links. */
  async requeueOverdue(now: Date, olderThanMs: number): Promise<number> {
    return this.ctx.database.transaction((tx) => requeueOverdue(tx, now, olderThanMs));
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

  private async markAttempt(tx: Tx, link: Link, product: Product): Promise<string | null> {
    const [started] = await startProducts(this.ctx, tx, link, link.refreshRun, [product]);
    await tx.link.update({
      where: { pk: link.pk },
      data: { revision: { increment: 1 } },
      select: { pk: true },
    });
    return started === undefined ? null : attemptName(link.refreshRun, started.attemptNo);
  }
}
