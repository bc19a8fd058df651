import type { FailureMeaning } from '../../domain/failure-mapping.js';
import type { Product } from '../../domain/products.js';
import { announcesUpdates } from '../../domain/updates-available.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import { loadSql } from '../sql/load-sql.js';
import { databaseTime, judgeProduct, type ProductRow } from './refresh-fence.js';
import { recordOrHoldDataEvent, type LinkRow } from './webhook-event.js';
import { clockOf } from './world-clock.js';

/** link-lifecycle 7.2, "all data stored": the product completes, and who should hear of it does, in this transaction. */
export async function completeProduct(ctx: Context, tx: Tx, link: LinkRow, row: ProductRow, fetched: { hasHistory?: boolean } = {}): Promise<void> {
  const now = await clockOf(ctx, tx, link);
  const product = row.product as Product;
  const updates = product === 'transactions' && announcesUpdates({
    causes: await causesOfFetch(tx, row),
    first: row.refreshedAt === null,
    rowsChanged: await wroteSince(tx, link.pk, row.stateChangedAt),
  });
  const hasHistory = row.hasHistory || (fetched.hasHistory ?? false);
  await tx.linkProduct.update({
    where: { linkPk_product: { linkPk: link.pk, product } },
    data: { state: 'completed', stateChangedAt: ctx.clock(), refreshedAt: now, errorCode: null, errorMessage: null, unavailable: null, hasHistory },
  });
  await tx.link.update({ where: { pk: link.pk }, data: { lastSyncedAt: now, revision: { increment: 1 } } });
  await consumeJoined(tx, link.pk, product);
  await recordOrHoldDataEvent(ctx, tx, link, {
    webhook_event: 'link.product_refresh', product, state: 'completed', state_changed_at: now.toISOString(), error_message: null,
  });
  // webhooks 2.4: one aggregation sends link.product_refresh first, then this event.
  if (updates) await recordOrHoldDataEvent(ctx, tx, link, { webhook_event: 'transactions.updates_available', has_history: hasHistory });
}

/** link-lifecycle 7.2, "final failure": earlier data and `refreshed_at` stay. False = the product was settled before. */
export async function failProductRow(ctx: Context, tx: Tx, link: LinkRow, row: ProductRow, meaning: FailureMeaning, event: 'final_failure' | 'link_left_connected'): Promise<boolean> {
  if (judgeProduct(row, event).kind !== 'change') return false;
  const now = await clockOf(ctx, tx, link);
  const product = row.product as Product;
  await tx.linkProduct.update({
    where: { linkPk_product: { linkPk: link.pk, product } },
    data: {
      state: 'failed', stateChangedAt: ctx.clock(), errorCode: meaning.productError, errorMessage: meaning.text,
      ...(meaning.productError === 'not_supported' ? { unavailable: meaning.text } : {}),
    },
  });
  await tx.link.update({ where: { pk: link.pk }, data: { revision: { increment: 1 } } });
  await consumeJoined(tx, link.pk, product);
  await recordOrHoldDataEvent(ctx, tx, link, {
    webhook_event: 'link.product_refresh', product, state: 'failed', state_changed_at: now.toISOString(), error_message: meaning.text,
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

/** Requests that joined the fetch are answered by it (link-lifecycle 7.3). */
async function consumeJoined(tx: Tx, linkPk: bigint, product: Product): Promise<void> {
  await tx.refreshRequest.updateMany({ where: { linkPk, product, consumedAt: null }, data: { consumedAt: await databaseTime(tx) } });
}
