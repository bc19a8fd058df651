import type { FailureMeaning } from '../../../domain/errors/failure-mapping.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import { judgeProductEvent, type ProductState } from '../../../domain/link/product-state.js';
import type { Product } from '../../../domain/link/products.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { announce } from '../../announcements/events/announce.js';
import type { LinkRow } from '../../announcements/events/record-webhook-event.js';
import type { LinkProduct } from '../../generated/client.js';

/** The reason for a product's failure, for the app and for operators. */
export interface FailureReason extends Pick<FailureMeaning, 'productError' | 'text'> {
  /** Null when the error of the link is the only known cause. */
  cause: ProviderCause | typeof QUOTA_USED_UP | null;
}

/**
 * In `error_cause`: a quota counted by Tributary has no calls left, so the source was not called.
 */
export const QUOTA_USED_UP = 'quota_used_up';

/**
 * Stores that a product of a locked link failed, and announces it. Earlier data and `refreshed_at`
 * stay. `now` is the time by the clock of the link.
 */
export async function recordFailure(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  row: Pick<LinkProduct, 'product'>,
  { reason, now }: { reason: FailureReason; now: Date },
): Promise<void> {
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
  await announce(ctx, tx, link, {
    kind: 'product_settled',
    product,
    state: 'failed',
    at: now,
    errorMessage: reason.text,
  });
}

/** The products of a link that wait for a fetch or are being fetched, in the order of the link. */
export function findUnfinishedProducts(tx: Tx, linkPk: bigint): Promise<LinkProduct[]> {
  return tx.linkProduct.findMany({
    where: { linkPk, state: { in: ['pending', 'in_progress'] } },
    orderBy: { position: 'asc' },
  });
}

/**
 * link-lifecycle 7.2: a product in progress fails with its link, and the link has no requests left.
 * The failures are announced before the state of the link, as in 6.4, which the caller changes with
 * its revision.
 */
export async function failWithLink(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  unfinished: readonly LinkProduct[],
  failure: { reason: FailureReason; now: Date },
): Promise<void> {
  for (const row of unfinished) {
    const verdict = judgeProductEvent(row.state as ProductState | null, 'link_left_connected');
    if (verdict.kind === 'change') await recordFailure(ctx, tx, link, row, failure);
  }
  await tx.refreshRequest.deleteMany({ where: { linkPk: link.pk } });
}
