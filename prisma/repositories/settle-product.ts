import type { FailureMeaning } from '../../domain/failure-mapping.js';
import type { Product } from '../../domain/products.js';
import type { ProviderCause } from '../../domain/provider-failure.js';
import { announcesUpdates } from '../../domain/updates-available.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import { loadSql } from '../sql/load-sql.js';
import { transitionLink } from './link-transition.js';
import { databaseTime, judgeProduct, type ProductRow } from './refresh-fence.js';
import { requestRefresh } from './request-refresh.js';
import { recordOrHoldDataEvent, type LinkRow } from './webhook-event.js';
import { clockOf } from './world-clock.js';

/** link-lifecycle 7.2, "all data stored": the product completes, and who should hear of it does, in this transaction. */
export async function completeProduct(ctx: Context, tx: Tx, link: LinkRow, row: ProductRow): Promise<void> {
  const now = await clockOf(ctx, tx, link);
  const product = row.product as Product;
  const updates = product === 'transactions' && announcesUpdates({
    causes: await causesOfFetch(tx, row),
    first: row.refreshedAt === null,
    rowsChanged: await wroteSince(tx, link.pk, row.stateChangedAt),
  });
  const hasHistory = row.hasHistory || asksForHistory(row);
  await tx.linkProduct.update({
    where: { linkPk_product: { linkPk: link.pk, product } },
    data: { state: 'completed', stateChangedAt: ctx.clock(), refreshedAt: now, errorCode: null, errorMessage: null, errorCause: null, unavailable: null, hasHistory },
  });
  await tx.link.update({ where: { pk: link.pk }, data: { lastSyncedAt: now, faultyRuns: 0, revision: { increment: 1 } } });
  await forgetRequests(tx, link.pk, product);
  await recordOrHoldDataEvent(ctx, tx, link, {
    webhook_event: 'link.product_refresh', product, state: 'completed', state_changed_at: now.toISOString(), error_message: null,
  });
  // webhooks 2.4: one aggregation sends link.product_refresh first, then this event.
  if (updates) await recordOrHoldDataEvent(ctx, tx, link, { webhook_event: 'transactions.updates_available', has_history: hasHistory });
  if (link.state === 'error') await transitionLink(ctx, tx, link.pk, { type: 'fetch_recovered' });
  // link-lifecycle 6.4: what is recent is there first, the whole history follows.
  if (product === 'transactions' && row.extendHistory && !hasHistory) await requestRefresh(ctx, tx, link, [product], 'history');
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
export async function failProductRow(ctx: Context, tx: Tx, link: LinkRow, row: ProductRow, reason: FailureReason, event: 'final_failure' | 'link_left_connected'): Promise<boolean> {
  if (judgeProduct(row, event).kind !== 'change') return false;
  const now = await clockOf(ctx, tx, link);
  const product = row.product as Product;
  await tx.linkProduct.update({
    where: { linkPk_product: { linkPk: link.pk, product } },
    data: {
      state: 'failed', stateChangedAt: ctx.clock(), errorCode: reason.productError, errorMessage: reason.text, errorCause: reason.cause,
      ...(reason.productError === 'not_supported' ? { unavailable: reason.text } : {}),
    },
  });
  await tx.link.update({ where: { pk: link.pk }, data: { revision: { increment: 1 } } });
  await forgetRequests(tx, link.pk, product);
  await recordOrHoldDataEvent(ctx, tx, link, {
    webhook_event: 'link.product_refresh', product, state: 'failed', state_changed_at: now.toISOString(), error_message: reason.text,
  });
  return true;
}

/** Why a product that is pending or in progress is being fetched. */
export async function causesOfFetch(tx: Tx, row: ProductRow): Promise<string[]> {
  const begun = row.state === 'in_progress' ? row.stateChangedAt : await databaseTime(tx);
  const found = await tx.$queryRawUnsafe<{ cause: string }[]>(loadSql('fetch-causes'), row.linkPk, row.product, begun);
  return found.map(({ cause }) => cause);
}

/** Whether any row changed since the fetch began, in whichever attempt: the newest version says it. */
async function wroteSince(tx: Tx, linkPk: bigint, since: Date | null): Promise<boolean> {
  const newest = await tx.transactionVersion.findFirst({ where: { linkPk }, orderBy: { seq: 'desc' }, select: { createdAt: true } });
  return newest !== null && (since === null || newest.createdAt >= since);
}

/** The fetch answers its requests and those that joined it (link-lifecycle 7.3); they have served. */
async function forgetRequests(tx: Tx, linkPk: bigint, product: Product): Promise<void> {
  await tx.refreshRequest.deleteMany({ where: { linkPk, product } });
}
