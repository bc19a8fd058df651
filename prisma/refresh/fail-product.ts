import { FAILURE_MEANINGS, textUntil } from '../../domain/errors/failure-mapping.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { transitionLink } from '../links/link-transition.js';
import { enqueueCommand } from '../outbox/outbox.js';
import { losesAllAccounts } from '../links/no-accounts.js';
import { isPermissionNewer } from './refresh-fence.js';
import { failProductRow, QUOTA_USED_UP } from './settle-product.js';
import type { Link, LinkProduct } from '../generated/client.js';

/** What is known of a failure besides its cause. */
export interface FailureDetail {
  /** Before this time the source accepts no other call. */
  until?: Date | null;
  /** The source was not asked: our own count left no call. */
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
  if (!(await failProductRow(ctx, tx, link, row, reason, 'final_failure'))) return;
  if (cause === 'no_accounts' && row.product === 'accounts')
    return losesAllAccounts(ctx, tx, link, meaning.text);
  if (!meaning.endsPermission) return;
  const others = await tx.linkProduct.findMany({
    where: { linkPk: link.pk, state: { in: ['pending', 'in_progress'] } },
    orderBy: { position: 'asc' },
  });
  // link-lifecycle 6.4: product_refresh failed, per product of the run, then the state.
  for (const other of others)
    await failProductRow(ctx, tx, link, other, reason, 'link_left_connected');
  await transitionLink(
    ctx,
    tx,
    link.pk,
    { type: 'auth_lost' },
    { errorMessage: meaning.text, errorCause: cause },
  );
}
