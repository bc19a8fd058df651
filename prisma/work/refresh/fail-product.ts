import { FAILURE_MEANINGS, textUntil } from '../../../domain/errors/failure-mapping.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { transitionLink } from '../../links/link/link-transition.js';
import {
  failWithLink,
  findUnfinishedProducts,
  QUOTA_USED_UP,
  recordFailure,
  type FailureReason,
} from '../../links/link/product-failure.js';
import { announceWithdrawnPermission } from '../../announcements/events/announce-withdrawn-permission.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import { losesAllAccounts } from '../../links/link/no-accounts.js';
import { isPermissionNewer, judgeProduct } from './refresh-fence.js';
import { clockOf } from '../../worlds/world-clock.js';
import type { Link, LinkProduct } from '../../generated/client.js';

/** The known details of a failure besides its cause. */
export interface FailureDetail {
  /** The source accepts no other call before this time. */
  until?: Date | null;
  /** The source was not called: a quota counted here has no calls left. */
  isOurQuota?: boolean;
}

/**
 * "Final failure" of a product of a locked link. When the permission has ended, the run ends for
 * every product and the link needs its owner, unless a relink has since replaced that permission:
 * then everything is fetched again with the new one.
 */
export async function failProduct(
  ctx: Context,
  tx: Tx,
  link: Link,
  row: LinkProduct,
  cause: ProviderCause,
  { until = null, isOurQuota = false }: FailureDetail = {},
): Promise<void> {
  const meaning = FAILURE_MEANINGS[cause];
  if (meaning.endsPermission && (await isPermissionNewer(tx, row)))
    return enqueueCommand(tx, { kind: 'startProductRefresh', linkId: link.linkId });
  const reason = {
    ...meaning,
    text: until === null ? meaning.text : textUntil(meaning, until),
    cause: isOurQuota ? (QUOTA_USED_UP as typeof QUOTA_USED_UP) : cause,
  };
  if (judgeProduct(row, 'final_failure').kind !== 'change') return;
  await failFinally(ctx, tx, link, row, reason);
  if (cause === 'no_accounts' && row.product === 'accounts')
    return losesAllAccounts(ctx, tx, link, meaning.text);
  if (!meaning.endsPermission) return;
  // link-lifecycle 6.4: product_refresh failed, per product of the run, then the state.
  const others = await findUnfinishedProducts(tx, link.pk);
  if (others.length > 0)
    await failWithLink(ctx, tx, link, others, { reason, now: await clockOf(ctx, tx, link) });
  await transitionLink(
    ctx,
    tx,
    link.pk,
    { type: 'auth_lost' },
    { errorMessage: meaning.text, errorCause: cause },
  );
}

/** link-lifecycle 7.2, "final failure" of one product. */
async function failFinally(
  ctx: Context,
  tx: Tx,
  link: Link,
  row: LinkProduct,
  reason: FailureReason,
): Promise<void> {
  await recordFailure(ctx, tx, link, row, { reason, now: await clockOf(ctx, tx, link) });
  await tx.link.update({ where: { pk: link.pk }, data: { revision: { increment: 1 } } });
  await tx.refreshRequest.deleteMany({ where: { linkPk: link.pk, product: row.product } });
  if (reason.productError === 'no_permission' && row.errorCode !== 'no_permission')
    await announceWithdrawnPermission(ctx, tx, link);
}
