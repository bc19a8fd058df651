import {
  storedIncomplete,
  type StoredIncomplete,
} from '../../../domain/refresh/incomplete-product.js';
import type { Product } from '../../../domain/link/products.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { SourceFacts } from '../../../domain/refresh/source-facts.js';
import { announcesUpdates } from '../../../domain/transactions/updates-available.js';
import type { InvestmentChanges } from '../../links/investments/store-investments.js';
import type { AccountStanding } from '../../links/accounts/store-accounts.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { loadSql } from '../../base/database/load-sql.js';
import { losesAllAccounts, NONE_LISTED, recovers } from '../../links/link/no-accounts.js';
import { requestRefresh, type RefreshCause } from './request-refresh.js';
import { announce } from '../../announcements/events/announce.js';
import { announceTransactions } from './announce-transactions.js';
import { clockOf } from '../../worlds/world-clock.js';
import type { Link, LinkProduct } from '../../generated/client.js';

/** Requests a second pass. */
export type RequestSecondPass = (
  ctx: Context,
  tx: Tx,
  link: Link,
  products: readonly Product[],
  cause: RefreshCause,
) => Promise<unknown>;

export interface StoredFetch {
  /** Accounts whose data in the fetch was incomplete. */
  incomplete?: readonly IncompleteAccount[] | undefined;
  /**
   * The standing of the link's accounts according to the fetch; null = it was not a fetch of
   * accounts.
   */
  standing?: AccountStanding | null;
  /** The changes of a fetch of investments. */
  investments?: InvestmentChanges | undefined;
  /** Defaults to `requestRefresh`. */
  requestSecondPass?: RequestSecondPass | undefined;
  /** The facts of the link's source; the defaults if omitted. */
  source?: Pick<SourceFacts, 'historyFirst'> | undefined;
}

/**
 * link-lifecycle 7.2, "all data stored": completes the product and records the resulting events, in
 * this transaction.
 */
export async function completeProduct(
  ctx: Context,
  tx: Tx,
  link: Link,
  row: LinkProduct,
  {
    incomplete = [],
    standing = null,
    investments = { holdings: 0, transactions: 0, unlisted: [] },
    requestSecondPass = requestRefresh,
    source = { historyFirst: false },
  }: StoredFetch = {},
): Promise<void> {
  const now = await clockOf(ctx, tx, link);
  const product = row.product as Product;
  const hasHistory = row.hasHistory || asksForHistory(row, source);
  const [done] = await tx.$queryRawUnsafe<Completion[]>(
    loadSql('complete-product'),
    link.pk,
    product,
    now,
    ctx.clock(),
    hasHistory,
    // Only completeProduct and the end of linking write this column.
    JSON.stringify(
      storedIncomplete(incomplete, row.incomplete as unknown as StoredIncomplete[], now),
    ),
  );
  const announcesChange = (rowsChanged: boolean) =>
    announcesUpdates({
      causes: causesOfFetch(done?.served ?? [], row.stateChangedAt),
      first: row.refreshedAt === null,
      rowsChanged,
    });
  await announce(ctx, tx, link, {
    kind: 'product_settled',
    product,
    state: 'completed',
    at: now,
    errorMessage: null,
  });
  // webhooks 2.4, 2.7: one aggregation sends link.product_refresh first, then this event.
  if (product === 'transactions') {
    if (announcesChange(wroteSince(done?.newest_row_at ?? null, row.stateChangedAt)))
      await announce(ctx, tx, link, { kind: 'transactions_updated', hasHistory });
    await announceTransactions(ctx, tx, link, row, { hasHistory, now });
  }
  if (product === 'investments') {
    const [holdings, transactions] = [investments.holdings > 0, investments.transactions > 0];
    if (announcesChange(holdings || transactions))
      await announce(ctx, tx, link, { kind: 'investments_updated', holdings, transactions });
  }
  if (standing === 'gone') return losesAllAccounts(ctx, tx, link, NONE_LISTED);
  await recovers(ctx, tx, link, standing);
  // link-lifecycle 6.4: recent rows first, then the whole history.
  if (product === 'transactions' && row.extendHistory && !hasHistory)
    await requestSecondPass(ctx, tx, link, [product], 'history');
}

/**
 * link-lifecycle 2.3, 6.4: with extend_history the first fetch covers recent days, later ones the
 * whole history. If the source offers the history only right after the login, the first fetch
 * covers it.
 */
export function asksForHistory(
  { extendHistory, refreshedAt }: LinkProduct,
  { historyFirst }: Pick<SourceFacts, 'historyFirst'>,
): boolean {
  return extendHistory && (historyFirst || refreshedAt !== null);
}

/** The result of complete-product.sql. */
interface Completion {
  served: ServedRequest[];
  newest_row_at: Date | null;
}

interface ServedRequest {
  cause: string;
  /** Null: merged into the fetch just before it completed. */
  consumed_at: string | null;
}

/** Whether any attempt changed a row since the fetch started, judged by the newest version. */
function wroteSince(newestRowAt: Date | null, since: Date | null): boolean {
  return newestRowAt !== null && (since === null || newestRowAt >= since);
}

/**
 * The causes of a product's fetch: the requests its run consumed last before the fetch started,
 * those consumed since, and those still waiting.
 */
function causesOfFetch(served: readonly ServedRequest[], startedAt: Date | null): string[] {
  const requests = served.map(({ cause, consumed_at: at }) => ({
    cause,
    at: at === null ? null : Date.parse(at),
  }));
  const start = startedAt?.getTime() ?? 0;
  const before = requests.flatMap(({ at }) => (at !== null && at <= start ? [at] : []));
  const since = before.length === 0 ? start : Math.max(...before);
  return requests.filter(({ at }) => at === null || at >= since).map(({ cause }) => cause);
}
