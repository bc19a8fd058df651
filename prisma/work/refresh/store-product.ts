import type {
  FetchedProduct,
  FetchedTransaction,
  TransactionBatch,
} from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { SourceFacts } from '../../../domain/refresh/source-facts.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { isPermissionNewer } from './refresh-fence.js';
import { completeProduct, type RequestSecondPass, type StoredFetch } from './complete-product.js';
import { storeAccountNumbers } from '../../links/accounts/store-account-numbers.js';
import { storeAccountOwners } from '../../links/accounts/store-account-owners.js';
import { storeListedAccounts, type AccountStanding } from '../../links/accounts/store-accounts.js';
import { recordBalances } from '../../links/accounts/record-balances.js';
import { storeInvestments } from '../../links/investments/store-investments.js';
import { storeLiabilities } from '../../links/liabilities/store-liabilities.js';
import { storePermissionEnd } from '../../links/link/store-permission-end.js';
import {
  completeAccounts,
  originalIds,
  removeUnseenTransactions,
  storableAccounts,
  storeTransactionBatch,
  type StorableTransaction,
} from '../../links/transactions/store-transactions.js';
import { announce, isAnnounced } from '../../announcements/events/announce.js';
import { countUse } from '../../tenants/usage/app-use.js';
import type { Link, LinkProduct } from '../../generated/client.js';

/** A product of a locked link that is being fetched. */
export interface FetchInProgress {
  link: Link;
  row: LinkProduct;
  /** Requests a second pass; defaults to `requestRefresh`. */
  requestSecondPass?: RequestSecondPass | undefined;
  /** The facts of the link's source; the defaults if omitted. */
  source?: SourceFacts | undefined;
}

export interface StoredTransactions {
  created: number;
  updated: number;
  removed: number;
  /** The fetch is complete, its link announces changes of recurring payments, and its log has grown. */
  mayChangeStreams?: true;
}

/** Stores a product without rows, and completes it. Returns the number of changed accounts. */
export async function storeProduct(
  ctx: Context,
  tx: Tx,
  { link, row, requestSecondPass, source }: FetchInProgress,
  fetched: Exclude<FetchedProduct, { product: 'transactions' }>,
): Promise<{ changed: number }> {
  const stored = await storeWhole(ctx, tx, { link, row, source }, fetched);
  const { changed, standing, investments, unlisted = [] } = stored;
  await completeProduct(ctx, tx, link, row, {
    incomplete: [...(fetched.incomplete ?? []), ...unlisted],
    standing,
    investments,
    requestSecondPass,
    source,
  });
  return { changed };
}

/** A first fetch does not count as a change: only later changes are announced. */
async function storeWhole(
  ctx: Context,
  tx: Tx,
  { link, row, source }: FetchInProgress,
  fetched: Exclude<FetchedProduct, { product: 'transactions' }>,
): Promise<{
  changed: number;
  standing: AccountStanding | null;
  investments?: StoredFetch['investments'];
  /** Accounts with data that the source no longer lists. */
  unlisted?: readonly IncompleteAccount[];
}> {
  const isFirst = row.refreshedAt === null;
  const { incomplete = [] } = fetched;
  switch (fetched.product) {
    case 'accounts': {
      const stored = await storeListedAccounts(ctx, tx, link, fetched.accounts, {
        incomplete,
        absence: source?.absence,
      });
      if (stored.changed > 0) await recordBalances(ctx, tx, link);
      if (fetched.permissionEndsAt !== undefined)
        await storePermissionEnd(ctx, tx, link, fetched.permissionEndsAt);
      return stored;
    }
    case 'account_numbers': {
      const changed = await storeAccountNumbers(ctx, tx, link, fetched.numbers, incomplete);
      if (!isFirst) await announce(ctx, tx, link, { kind: 'numbers_changed', changes: changed });
      return { changed: changed.length, standing: null };
    }
    case 'identity': {
      const changed = await storeAccountOwners(ctx, tx, link.pk, fetched.owners, incomplete);
      if (!isFirst) await announce(ctx, tx, link, { kind: 'owners_changed', changes: changed });
      return { changed: changed.length, standing: null };
    }
    case 'investments': {
      const partlyMatched = wasIncomplete(row);
      const { changes, unlisted } = await storeInvestments(ctx, tx, link, fetched, incomplete, {
        partlyMatched,
      });
      await announce(ctx, tx, link, { kind: 'investments_pulled', isFirst, ...changes });
      const holdings = changes.holdings.added + changes.holdings.updated;
      const transactions = changes.transactions.written + changes.transactions.removed;
      return {
        changed: holdings + transactions,
        standing: null,
        investments: { holdings: holdings > 0, transactions: transactions > 0 },
        unlisted,
      };
    }
    case 'liabilities': {
      const changed = await storeLiabilities(ctx, tx, link, fetched.liabilities, incomplete);
      if (!isFirst)
        await announce(ctx, tx, link, { kind: 'liabilities_changed', changes: changed });
      return { changed: changed.length, standing: null };
    }
  }
}

/**
 * Stores a batch of rows; the last one removes rows that are missing inside its window, and
 * completes the product.
 */
export async function storeRows(
  ctx: Context,
  tx: Tx,
  { link, row, requestSecondPass, source }: FetchInProgress,
  batch: TransactionBatch,
): Promise<StoredTransactions> {
  const accounts = await storableAccounts(tx, link.pk);
  const { created, updated } = await storeTransactionBatch(
    ctx,
    tx,
    link,
    accounts,
    await withOriginalIds(tx, link, batch.transactions),
  );
  countUse(ctx, tx, link, { rows: created + updated }, link.pk);
  if (!batch.last) return { created, updated, removed: 0 };
  const { incomplete = [] } = batch;
  const seen = [
    ...batch.seenIds,
    ...batch.transactions.map(({ providerTransactionId }) => providerTransactionId),
  ];
  const removed =
    batch.window === null
      ? 0
      : await removeUnseenTransactions(
          tx,
          link.pk,
          completeAccounts(accounts, incomplete),
          batch.window,
          seen,
        );
  // Each leaves a tombstone, a version of its own.
  countUse(ctx, tx, link, { rows: removed }, link.pk);
  // A relink in the meantime has its own fetch. Rows that have not arrived yet may have other ids,
  // too.
  if (link.matchRows && incomplete.length === 0 && !(await isPermissionNewer(tx, row)))
    await tx.link.update({ where: { pk: link.pk }, data: { matchRows: false } });
  await completeProduct(ctx, tx, link, row, { incomplete, requestSecondPass, source });
  const stored = { created, updated, removed };
  return mayChangeStreams(link, stored) ? { ...stored, mayChangeStreams: true } : stored;
}

/** `link`: before the last batch. Earlier attempts may have stored rows, too, which were not announced. */
function mayChangeStreams(link: Link, { created, updated, removed }: StoredTransactions): boolean {
  const hasGrown = created + updated + removed > 0 || link.headSeq !== link.announcedSeq;
  return hasGrown && isAnnounced(link, 'streams_changed');
}

/** Only rows of imported links can have such ids. */
async function withOriginalIds(
  tx: Tx,
  { pk, importedAt }: Link,
  transactions: readonly FetchedTransaction[],
): Promise<readonly StorableTransaction[]> {
  if (importedAt === null) return transactions;
  const ids = await originalIds(tx, pk, transactions);
  return transactions.map((row) => ({
    ...row,
    originalId: ids.get(row.providerTransactionId) ?? null,
  }));
}

/**
 * Since the last complete fetch, the link's permission or provider changed, or an app imported
 * rows.
 */
export function hasNewSource({
  matchRows,
  importedAt,
}: Pick<Link, 'matchRows' | 'importedAt'>): boolean {
  return matchRows || importedAt !== null;
}

/** The last successful fetch of a product lacked data of some accounts. */
export function wasIncomplete({ incomplete }: Pick<LinkProduct, 'incomplete'>): boolean {
  return Array.isArray(incomplete) && incomplete.length > 0;
}
