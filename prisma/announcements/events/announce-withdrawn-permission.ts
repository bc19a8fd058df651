import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { announce, isAnnounced } from './announce.js';
import type { LinkRow } from './record-webhook-event.js';

/** Announces that the account owner withdrew the permission for the last granted product. */
export async function announceWithdrawnPermission(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
): Promise<void> {
  if (!isAnnounced(link, 'permission_withdrawn')) return;
  const permitted = await tx.linkProduct.count({
    where: {
      linkPk: link.pk,
      granted: true,
      OR: [{ errorCode: null }, { errorCode: { not: 'no_permission' } }],
    },
  });
  if (permitted === 0) await announce(ctx, tx, link, { kind: 'permission_withdrawn' });
}
