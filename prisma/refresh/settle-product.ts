import type { FailureMeaning } from '../../domain/errors/failure-mapping.js';
import type { Product } from '../../domain/link/products.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { announcesUpdates } from '../../domain/transactions/updates-available.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { loadSql } from '../database/load-sql.js';
import { transitionLink } from '../links/link-transition.js';
import { judgeProduct, type ProductRow } from './refresh-fence.js';
import { requestRefresh, type RefreshCause } from './request-refresh.js';
import { announce } from '../events/announce.js';
import { announceWithdrawnPermission } from '../events/announce-withdrawn-permission.js';
import { announceTransactions } from './announce-transactions.js';
import type { LinkRow } from '../events/record-webhook-event.js';
import { clockOf } from '../worlds/world-clock.js';

/** Who is told that a second pass is to follow. */
export type AskAgain = (
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  products: readonly Product[],
  cause: RefreshCause,
) => Promise<unknown>;

/** link-lifecycle 7.2, "all data stored": the product completes, and who should hear of it does, in this transaction. */
export async function completeProduct(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  row: ProductRow,
  askAgain: AskAgain = requestRefresh,
): Promise<void> {
  const now = await clockOf(ctx, tx, link);
  const product = row.product as Product;
  const hasHistory = row.hasHistory || asksForHistory(row);
  const [done] = await tx.$queryRawUnsafe<Completion[]>(
    loadSql('complete-product'),
    link.pk,
    product,
    now,
    ctx.clock(),
    hasHistory,
  );
  const updates =
    product === 'transactions' &&
    announcesUpdates({
      causes: causesOfFetch(done?.served ?? [], row.stateChangedAt),
      first: row.refreshedAt === null,
      rowsChanged: wroteSince(done?.newest_row_at ?? null, row.stateChangedAt),
    });
  await announce(ctx, tx, link, {
    kind: 'product_settled',
    product,
    state: 'completed',
    at: now,
    errorMessage: null,
  });
  // webhooks 2.4: one aggregation sends link.product_refresh first, then this event.
  if (updates) await announce(ctx, tx, link, { kind: 'transactions_updated', hasHistory });
  if (product === 'transactions')
    await announceTransactions(ctx, tx, link, row, { hasHistory, now });
  if (link.state === 'error') await transitionLink(ctx, tx, link.pk, { type: 'fetch_recovered' });
  // link-lifecycle 6.4: what is recent is there first, the whole history follows.
  if (product === 'transactions' && row.extendHistory && !hasHistory)
    await askAgain(ctx, tx, link, [product], 'history');
}

/** link-lifecycle 2.3, 6.4: with extend_history the first fetch brings the recent days, every later one all there is. */
export function asksForHistory({ extendHistory, refreshedAt }: ProductRow): boolean {
  return extendHistory && refreshedAt !== null;
}

/** What a failed product says, to the app and to operators. */
export interface FailureReason extends Pick<FailureMeaning, 'productError' | 'text'> {
  /** Null when it failed with its link. */
  cause: ProviderCause | null;
}

/** link-lifecycle 7.2, "final failure": earlier data and `refreshed_at` stay. False = the product was settled before. */
export async function failProductRow(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  row: ProductRow,
  reason: FailureReason,
  event: 'final_failure' | 'link_left_connected',
): Promise<boolean> {
  if (judgeProduct(row, event).kind !== 'change') return false;
  const now = await clockOf(ctx, tx, link);
  const product = row.product as Product;
  await tx.linkProduct.update({
    where: { linkPk_product: { linkPk: link.pk, product } },
    data: {
      state: 'failed',
      stateChangedAt: ctx.clock(),
      errorCode: reason.productError,
      errorMessage: reason.text,
      errorCause: reason.cause,
      ...(reason.productError === 'not_supported' ? { unavailable: reason.text } : {}),
    },
  });
  await tx.link.update({ where: { pk: link.pk }, data: { revision: { increment: 1 } } });
  await tx.refreshRequest.deleteMany({ where: { linkPk: link.pk, product } });
  await announce(ctx, tx, link, {
    kind: 'product_settled',
    product,
    state: 'failed',
    at: now,
    errorMessage: reason.text,
  });
  if (reason.productError === 'no_permission' && row.errorCode !== 'no_permission')
    await announceWithdrawnPermission(ctx, tx, link);
  return true;
}

/** What prisma/refresh/complete-product.sql answers. */
interface Completion {
  served: ServedRequest[];
  newest_row_at: Date | null;
}

interface ServedRequest {
  cause: string;
  /** Null: it joined the fetch at the last moment. */
  consumed_at: string | null;
}

/** Whether any row changed since the fetch began, in whichever attempt: the newest version says it. */
function wroteSince(newestRowAt: Date | null, since: Date | null): boolean {
  return newestRowAt !== null && (since === null || newestRowAt >= since);
}

/** Why a product was fetched: the requests its run consumed last before the fetch began, those consumed since, and those still waiting. */
function causesOfFetch(served: readonly ServedRequest[], begunAt: Date | null): string[] {
  const requests = served.map(({ cause, consumed_at: at }) => ({
    cause,
    at: at === null ? null : Date.parse(at),
  }));
  const begun = begunAt?.getTime() ?? 0;
  const before = requests.flatMap(({ at }) => (at !== null && at <= begun ? [at] : []));
  const since = before.length === 0 ? begun : Math.max(...before);
  return requests.filter(({ at }) => at === null || at >= since).map(({ cause }) => cause);
}
