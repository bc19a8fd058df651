import type { Product } from '../../../domain/link/products.js';
import {
  judgeProductEvent,
  PRODUCT_STATES,
  type ProductState,
} from '../../../domain/link/product-state.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import type { Link } from '../../generated/client.js';

/**
 * The cause of a product's fetch. Source: link-lifecycle 7.1. `history` = the second pass of
 * `extend_history`; `provider_webhook` = the source reports new data.
 */
export type RefreshCause =
  | 'prefetch'
  | 'on_demand'
  | 'scheduled'
  | 'relink'
  | 'sandbox_script'
  | 'history'
  | 'provider_webhook';

/**
 * Nothing waits for these: they merge into a running fetch without expediting it (link-lifecycle
 * 7.3).
 */
export const BACKGROUND_CAUSES: readonly string[] = [
  'scheduled',
  'history',
  'provider_webhook',
] satisfies RefreshCause[];

/** Causes that neither an app nor a user requested. */
export const SCHEDULED_CAUSES: readonly string[] = [
  'scheduled',
  'provider_webhook',
] satisfies RefreshCause[];

/**
 * Requests a fetch of products of a locked link. Requests are rows; the workflow that consumes them
 * is started through the outbox. A product already waiting or being fetched is merged
 * (link-lifecycle 7.2, "requested").
 */
export async function requestRefresh(
  ctx: Context,
  tx: Tx,
  link: Link,
  products: readonly Product[],
  cause: RefreshCause,
): Promise<void> {
  if (await writeRequests(ctx, tx, link, products, cause))
    await enqueueCommand(tx, { kind: 'startProductRefresh', linkId: link.linkId });
}

/**
 * Writes only the rows, for callers that start the run in the same transaction. False = none of the
 * products is granted.
 */
export async function writeRequests(
  ctx: Context,
  tx: Tx,
  link: Link,
  products: readonly Product[],
  cause: RefreshCause,
): Promise<boolean> {
  if (products.length === 0) return false;
  const now = ctx.clock();
  const rows = await tx.linkProduct.findMany({
    where: { linkPk: link.pk, product: { in: [...products] }, granted: true },
  });
  for (const next of PRODUCT_STATES) {
    const changed = rows.filter(({ state }) => {
      const verdict = judgeProductEvent(state as ProductState | null, 'requested');
      return verdict.kind === 'change' && verdict.state === next;
    });
    if (changed.length === 0) continue;
    await tx.linkProduct.updateMany({
      where: { linkPk: link.pk, product: { in: changed.map(({ product }) => product) } },
      data: { state: next, stateChangedAt: now },
    });
  }
  await tx.refreshRequest.createMany({
    data: rows.map(({ product }) => ({ linkPk: link.pk, product, cause, createdAt: now })),
  });
  return rows.length > 0;
}
