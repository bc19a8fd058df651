import type {
  FetchedAccount,
  FetchedAccountNumbers,
  FetchedAccountOwners,
  FetchedProduct,
  TransactionBatch,
} from '../../domain/refresh/fetched-data.js';
import type { Product } from '../../domain/link/products.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { beginProducts, fetchKeyOf } from './begin-products.js';
import { countRun, DEFAULT_REFRESH_RULES, type RefreshRules } from './count-run.js';
import { failProduct } from './fail-product.js';
import { lockLink } from '../links/link-transition.js';
import { matchFetchedRows, type FetchedRows } from '../transactions/match-fetched-rows.js';
import { openCredential } from '../permissions/provider-credential.js';
import {
  findProduct,
  isLastTry,
  judgeProduct,
  lockLinkOfRun,
  lockLiveLink,
  lockProductUnderWay,
  nameTry,
} from './refresh-fence.js';
import { requeueOverdue } from './requeue-overdue.js';
import { requestRefresh, type RefreshCause } from './request-refresh.js';
import {
  hasOtherSource,
  storeProduct,
  storeRows,
  type StoredTransactions,
} from './store-product.js';
import { storableAccounts } from '../transactions/store-transactions.js';
import { isFetchable, takeRefreshRequests, type RefreshRun } from './take-refresh-requests.js';
import type { LinkRow } from '../events/record-webhook-event.js';
import { worldTimeOf } from '../worlds/world-clock.js';

export { StaleRefreshRun } from './refresh-fence.js';
export type { RefreshProduct, RefreshRun } from './take-refresh-requests.js';

/** What a fetch of one product needs at its provider. */
export interface FetchAccess {
  credential: Uint8Array;
  remoteId: string;
  provider: string;
  /** What the user granted. */
  products: Product[];
  /** The same for every repetition of one fetch. */
  fetchKey: string;
  /** What time it is in the world of the link, as a source is told it. */
  worldTime: Date | null;
  /** The ids of rows may differ from those stored: `matchTransactions` comes before storing. */
  matchRows: boolean;
}

/**
 * What a refresh of a link does to the database. Every write of a run locks the link and is refused when a newer run took
 * it, the link ended, or the product was settled meanwhile: storing throws `StaleRefreshRun`, the rest does nothing.
 */
export class RefreshRepository {
  constructor(
    private readonly ctx: Context,
    private readonly rules: RefreshRules = DEFAULT_REFRESH_RULES,
  ) {}

  /** Asks for products to be fetched, in the caller's transaction. */
  async requestProducts(
    tx: Tx,
    linkPk: bigint,
    products: readonly Product[],
    cause: RefreshCause,
  ): Promise<void> {
    await requestRefresh(this.ctx, tx, await lockLink(tx, linkPk), products, cause);
  }

  /** Begins a new run with everything that waits or was left under way; null = nothing to do. A run begun earlier may not write any more. */
  async beginRun(linkId: string): Promise<RefreshRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLiveLink(tx, linkId);
      return link === null ? null : takeRefreshRequests(this.ctx, tx, link, null);
    });
  }

  /** Takes what was asked for since into the run under way; null = nothing new, or the run is stale. */
  async joinRun(linkId: string, run: string): Promise<RefreshRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      return link === null ? null : takeRefreshRequests(this.ctx, tx, link, run);
    });
  }

  /**
   * "Fetch begins". Answers the name of the try, which its writes carry; null = it must not be fetched any more. A product
   * that a lost run left under way begins again: the same fetch, another try.
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

  /** "Fetch retried internally", after the last try. Answers as `beginProduct` does; the try before may not write any more. */
  async retriedProduct(linkId: string, run: string, product: Product): Promise<string | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (
        link === null ||
        row === null ||
        !isLastTry(link, row, run) ||
        judgeProduct(row, 'fetch_retried').kind !== 'change'
      )
        return null;
      return this.markAttempt(tx, link, product);
    });
  }

  /** Stores the accounts the institution lists, and when it ends the permission if it said so; and completes the product. */
  storeAccounts(
    linkId: string,
    run: string,
    accounts: readonly FetchedAccount[],
    permissionEndsAt?: Date | null,
  ): Promise<{ changed: number }> {
    return this.storeWhole(linkId, run, { product: 'accounts', accounts, permissionEndsAt });
  }

  /** Stores how money reaches the accounts and completes the product. */
  storeAccountNumbers(
    linkId: string,
    run: string,
    numbers: readonly FetchedAccountNumbers[],
  ): Promise<{ changed: number }> {
    return this.storeWhole(linkId, run, { product: 'account_numbers', numbers });
  }

  /** Stores who owns the accounts and completes the product. */
  storeIdentity(
    linkId: string,
    run: string,
    owners: readonly FetchedAccountOwners[],
  ): Promise<{ changed: number }> {
    return this.storeWhole(linkId, run, { product: 'identity', owners });
  }

  /**
   * Looks which rows of a complete fetch are stored under another id, before the first of them is stored. The ids of
   * posted rows differ where `facts.pendingIdsSurvive` is false.
   */
  async matchTransactions(
    linkId: string,
    run: string,
    fetched: FetchedRows,
    { postedIdsDiffer }: { postedIdsDiffer: boolean },
  ): Promise<{ matched: number }> {
    return this.ctx.database.transaction(async (tx) => {
      const { link } = await lockProductUnderWay(tx, linkId, run, 'transactions');
      const accounts = await storableAccounts(tx, link.pk);
      return {
        matched: await matchFetchedRows(tx, link.pk, accounts, fetched, {
          postedIdsDiffer,
          otherSource: hasOtherSource(link),
        }),
      };
    });
  }

  /** Stores a batch; the last one removes what the fetch did not show inside its window and completes the product. */
  async storeTransactions(
    linkId: string,
    run: string,
    batch: TransactionBatch,
  ): Promise<StoredTransactions> {
    return this.ctx.database.transaction(async (tx) =>
      storeRows(this.ctx, tx, await lockProductUnderWay(tx, linkId, run, 'transactions'), batch),
    );
  }

  /** "Final failure" of the last try; what follows when the permission is over says `failProduct`. */
  async failProduct(
    linkId: string,
    run: string,
    product: Product,
    cause: ProviderCause,
  ): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (link !== null && row !== null && isLastTry(link, row, run))
        await failProduct(this.ctx, tx, link, row, cause);
    });
  }

  /** The run is over: whether it is one more in a row that failed is decided once. */
  async finishRun(
    linkId: string,
    run: string,
    { anySucceeded }: { anySucceeded: boolean },
  ): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      if (link !== null && link.finishedRun < link.refreshRun)
        await countRun(this.ctx, tx, link, anySucceeded, this.rules);
    });
  }

  /**
   * The opened credential, where to use it, and the name of the fetch: it begins when the product does, and goes on
   * through every try and every run that takes it over. Null = nobody fetches this product now, or the link has no
   * credential any more.
   */
  async access(linkId: string, product: Product): Promise<FetchAccess | null> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({
      where: { linkId },
      include: { products: { where: { granted: true }, orderBy: { position: 'asc' } } },
    });
    const begunAt =
      link?.products.find((row) => row.product === product && row.state === 'in_progress')
        ?.stateChangedAt ?? null;
    if (link === null || link.state === 'deleted' || begunAt === null) return null;
    const { institutionId, provider } = link;
    const route = await prisma.institutionRoute.findUnique({
      where: { institutionId_provider: { institutionId, provider } },
    });
    if (route === null) return null;
    const held = await openCredential(this.ctx, prisma, link);
    if (held === null) return null;
    return {
      credential: held.credential,
      remoteId: route.remoteId,
      provider,
      products: link.products.map((row) => row.product as Product),
      fetchKey: fetchKeyOf(linkId, product, begunAt),
      worldTime: await worldTimeOf(this.ctx, link),
      matchRows: hasOtherSource(link),
    };
  }

  /** For the sweeper: `now` is real time. Answers how many links are started again. */
  async requeueOverdue(now: Date, olderThanMs: number): Promise<number> {
    return this.ctx.database.transaction((tx) => requeueOverdue(tx, now, olderThanMs));
  }

  private storeWhole(
    linkId: string,
    run: string,
    fetched: Exclude<FetchedProduct, { product: 'transactions' }>,
  ): Promise<{ changed: number }> {
    return this.ctx.database.transaction(async (tx) =>
      storeProduct(
        this.ctx,
        tx,
        await lockProductUnderWay(tx, linkId, run, fetched.product),
        fetched,
      ),
    );
  }

  private async markAttempt(tx: Tx, link: LinkRow, product: Product): Promise<string | null> {
    const [begun] = await beginProducts(this.ctx, tx, link, link.refreshRun, [product]);
    await tx.link.update({
      where: { pk: link.pk },
      data: { revision: { increment: 1 } },
      select: { pk: true },
    });
    return begun === undefined ? null : nameTry(link.refreshRun, begun.attemptNo);
  }
}
