import { FAILURE_MEANINGS } from '../../domain/failure-mapping.js';
import type { DayWindow, FetchedAccount, FetchedAccountNumbers, FetchedAccountOwners, FetchedTransaction } from '../../domain/fetched-data.js';
import type { Product } from '../../domain/products.js';
import type { ProviderCause } from '../../domain/provider-failure.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import type { Prisma } from '../generated/client.js';
import { countRun, DEFAULT_REFRESH_RULES, type RefreshRules } from './count-run.js';
import { lockLink, transitionLink } from './link-transition.js';
import { matchFetchedRows, type FetchedRows } from './match-fetched-rows.js';
import { enqueueCommand } from './outbox.js';
import { openCredential } from './provider-credential.js';
import { databaseTime, findProduct, isPermissionNewer, judgeProduct, lockLinkOfRun, lockLiveLink, lockProductUnderWay, nameTry } from './refresh-fence.js';
import { requeueOverdue } from './requeue-overdue.js';
import { requestRefresh, writeRequests, type RefreshCause } from './request-refresh.js';
import { completeProduct, failProductRow } from './settle-product.js';
import { storeAccountNumbers } from './store-account-numbers.js';
import { storeAccountOwners } from './store-account-owners.js';
import { storeListedAccounts } from './store-accounts.js';
import { originalIds, removeUnseenTransactions, storableAccounts, storeTransactionBatch, type StorableTransaction } from './store-transactions.js';
import { isFetchable, takeRefreshRequests, type RefreshRun } from './take-refresh-requests.js';
import type { LinkRow } from './webhook-event.js';
import { clockOf, worldTimeOf } from './world-clock.js';

export { StaleRefreshRun } from './refresh-fence.js';
export type { RefreshProduct, RefreshRun } from './take-refresh-requests.js';

/** One batch of a transactions fetch, at most 1,000 rows. The last one, which may be empty, says what the fetch was. */
export interface TransactionBatch {
  transactions: readonly FetchedTransaction[];
  last: boolean;
  /** The days the fetch covered completely; null = none. Used with the last batch: absence means removal only in here. */
  window: DayWindow | null;
  /** Provider ids of every row of the whole fetch. Used with the last batch. */
  seenIds: readonly string[];
}

/** What a fetch of one product needs at its provider. */
export interface FetchAccess {
  credential: Uint8Array;
  remoteId: string;
  provider: string;
  /** The same for every repetition of one fetch. */
  fetchKey: string;
  /** What time it is in the world of the link, as a source is told it. */
  worldTime: Date | null;
  /** The ids of rows may differ from those stored: `matchTransactions` comes before storing. */
  matchRows: boolean;
}

export interface StoredTransactions {
  created: number;
  updated: number;
  removed: number;
}

/**
 * What a refresh of a link does to the database. Every write of a run locks the link and is refused when a newer run took
 * it, the link ended, or the product was settled meanwhile: storing throws `StaleRefreshRun`, the rest does nothing.
 */
export class RefreshRepository {
  constructor(private readonly ctx: Context, private readonly rules: RefreshRules = DEFAULT_REFRESH_RULES) {}

  /** Asks for products to be fetched, in the caller's transaction. */
  async requestProducts(tx: Tx, linkPk: bigint, products: readonly Product[], cause: RefreshCause): Promise<void> {
    await requestRefresh(this.ctx, tx, await lockLink(tx, linkPk), products, cause);
  }

  /** Begins a new run with everything that waits or was left under way; null = nothing to do. A run begun earlier may not write any more. */
  async beginRun(linkId: string): Promise<RefreshRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLiveLink(tx, linkId);
      return link === null ? null : takeRefreshRequests(this.ctx, tx, link, null);
    });
  }

  /** Asks for products and begins the run that fetches them, in one transaction: nobody else hears of it. */
  async beginScheduledRun(linkId: string, products: readonly Product[]): Promise<RefreshRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLiveLink(tx, linkId);
      if (link === null || !isFetchable(link) || !(await writeRequests(this.ctx, tx, link, products, 'scheduled'))) return null;
      return takeRefreshRequests(this.ctx, tx, link, null);
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
      const begun = verdict.kind === 'change' ? { state: verdict.state, stateChangedAt: await databaseTime(tx) } : {};
      return this.markAttempt(tx, link, product, begun);
    });
  }

  /** "Fetch retried internally". Answers as `beginProduct` does; the try before may not write any more. */
  async retriedProduct(linkId: string, run: string, product: Product): Promise<string | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (link === null || row === null || judgeProduct(row, 'fetch_retried').kind !== 'change') return null;
      return this.markAttempt(tx, link, product, {});
    });
  }

  /** Stores the accounts the institution lists and completes the product. */
  async storeAccounts(linkId: string, run: string, accounts: readonly FetchedAccount[]): Promise<{ changed: number }> {
    return this.ctx.database.transaction(async (tx) => {
      const { link, row } = await lockProductUnderWay(tx, linkId, run, 'accounts');
      const changed = await storeListedAccounts(tx, link.pk, accounts);
      await completeProduct(this.ctx, tx, link, row);
      return { changed };
    });
  }

  /** Stores how money reaches the accounts and completes the product. */
  async storeAccountNumbers(linkId: string, run: string, numbers: readonly FetchedAccountNumbers[]): Promise<{ changed: number }> {
    return this.ctx.database.transaction(async (tx) => {
      const { link, row } = await lockProductUnderWay(tx, linkId, run, 'account_numbers');
      const changed = await storeAccountNumbers(this.ctx, tx, link, numbers);
      await completeProduct(this.ctx, tx, link, row);
      return { changed };
    });
  }

  /** Stores who owns the accounts and completes the product. */
  async storeIdentity(linkId: string, run: string, owners: readonly FetchedAccountOwners[]): Promise<{ changed: number }> {
    return this.ctx.database.transaction(async (tx) => {
      const { link, row } = await lockProductUnderWay(tx, linkId, run, 'identity');
      const changed = await storeAccountOwners(this.ctx, tx, link.pk, owners);
      await completeProduct(this.ctx, tx, link, row);
      return { changed };
    });
  }

  /**
   * Looks which rows of a complete fetch are stored under another id, before the first of them is stored. The ids of
   * posted rows differ where `facts.pendingIdsSurvive` is false.
   */
  async matchTransactions(linkId: string, run: string, fetched: FetchedRows, { postedIdsDiffer }: { postedIdsDiffer: boolean }): Promise<{ matched: number }> {
    return this.ctx.database.transaction(async (tx) => {
      const { link } = await lockProductUnderWay(tx, linkId, run, 'transactions');
      const accounts = await storableAccounts(tx, link.pk);
      return { matched: await matchFetchedRows(tx, link.pk, accounts, fetched, { postedIdsDiffer, otherSource: hasOtherSource(link) }) };
    });
  }

  /** Stores a batch; the last one removes what the fetch did not show inside its window and completes the product. */
  async storeTransactions(linkId: string, run: string, batch: TransactionBatch): Promise<StoredTransactions> {
    return this.ctx.database.transaction(async (tx) => {
      const { link, row } = await lockProductUnderWay(tx, linkId, run, 'transactions');
      const accounts = await storableAccounts(tx, link.pk);
      const { created, updated } = await storeTransactionBatch(tx, link.pk, accounts, await withOriginalIds(tx, link, batch.transactions), this.ctx.random);
      if (!batch.last) return { created, updated, removed: 0 };
      const seen = [...batch.seenIds, ...batch.transactions.map(({ providerTransactionId }) => providerTransactionId)];
      const removed = batch.window === null ? 0 : await removeUnseenTransactions(tx, link.pk, accounts, batch.window, seen);
      // A relink meanwhile has its own fetch.
      if (link.matchRows && !(await isPermissionNewer(tx, row))) await tx.link.update({ where: { pk: link.pk }, data: { matchRows: false } });
      await completeProduct(this.ctx, tx, link, row);
      return { created, updated, removed };
    });
  }

  /**
   * "Final failure". When the permission is over, the run ends for every product and the link needs its owner; unless a
   * relink replaced that permission meanwhile: then everything is fetched again with the new one.
   */
  async failProduct(linkId: string, run: string, product: Product, cause: ProviderCause): Promise<void> {
    const meaning = FAILURE_MEANINGS[cause];
    await this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      const row = link === null ? null : await findProduct(tx, link.pk, product);
      if (link === null || row === null) return;
      if (meaning.endsPermission && (await isPermissionNewer(tx, row))) return enqueueCommand(tx, { kind: 'startProductRefresh', linkId });
      const reason = { ...meaning, cause };
      if (!(await failProductRow(this.ctx, tx, link, row, reason, 'final_failure'))) return;
      if (!meaning.endsPermission) return;
      const others = await tx.linkProduct.findMany({ where: { linkPk: link.pk, state: { in: ['pending', 'in_progress'] } }, orderBy: { position: 'asc' } });
      // link-lifecycle 6.4: product_refresh failed, per product of the run, then the state.
      for (const other of others) await failProductRow(this.ctx, tx, link, other, reason, 'link_left_connected');
      await transitionLink(this.ctx, tx, link.pk, { type: 'auth_lost' }, { errorMessage: meaning.text, errorCause: cause });
    });
  }

  /** The run is over: whether it is one more in a row that failed is decided once. */
  async finishRun(linkId: string, run: string, { anySucceeded }: { anySucceeded: boolean }): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const link = await lockLinkOfRun(tx, linkId, run);
      if (link !== null && link.finishedRun < link.refreshRun) await countRun(this.ctx, tx, link, anySucceeded, this.rules);
    });
  }

  /**
   * The opened credential, where to use it, and the name of the fetch: it begins when the product does, and goes on
   * through every try and every run that takes it over. Null = nobody fetches this product now, or the link has no
   * credential any more.
   */
  async access(linkId: string, product: Product): Promise<FetchAccess | null> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({ where: { linkId }, include: { products: { where: { product, state: 'in_progress' } } } });
    const begunAt = link?.products[0]?.stateChangedAt ?? null;
    if (link === null || link.state === 'deleted' || begunAt === null) return null;
    const { institutionId, provider } = link;
    const route = await prisma.institutionRoute.findUnique({ where: { institutionId_provider: { institutionId, provider } } });
    if (route === null) return null;
    const held = await openCredential(this.ctx, prisma, link);
    return held === null ? null : { credential: held.credential, remoteId: route.remoteId, provider, fetchKey: `${linkId}/${product}/${begunAt.toISOString()}`, worldTime: await worldTimeOf(this.ctx, link), matchRows: hasOtherSource(link) };
  }

  /** For the sweeper: `now` is real time. Answers how many links are started again. */
  async requeueOverdue(now: Date, olderThanMs: number): Promise<number> {
    return this.ctx.database.transaction((tx) => requeueOverdue(tx, now, olderThanMs));
  }

  private async markAttempt(tx: Tx, link: LinkRow, product: Product, begun: Prisma.LinkProductUpdateInput): Promise<string> {
    const attempted = { lastAttemptedAt: await clockOf(this.ctx, tx, link), attemptBeganAt: this.ctx.clock() };
    const row = await tx.linkProduct.update({ where: { linkPk_product: { linkPk: link.pk, product } }, data: { ...begun, ...attempted, fetchedInRun: link.refreshRun, attemptNo: { increment: 1 } } });
    await tx.link.update({ where: { pk: link.pk }, data: { revision: { increment: 1 } } });
    return nameTry(link.refreshRun, row.attemptNo);
  }
}

/** Another permission or provider serves the link since its last complete fetch, or an app brought its rows. */
function hasOtherSource({ matchRows, importedAt }: Pick<LinkRow, 'matchRows' | 'importedAt'>): boolean {
  return matchRows || importedAt !== null;
}

/** Only rows of an imported link can have such ids. */
async function withOriginalIds(tx: Tx, { pk, importedAt }: LinkRow, transactions: readonly FetchedTransaction[]): Promise<readonly StorableTransaction[]> {
  if (importedAt === null) return transactions;
  const ids = await originalIds(tx, pk, transactions);
  return transactions.map((row) => ({ ...row, originalId: ids.get(row.providerTransactionId) ?? null }));
}
