import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { nextNotice } from '../../../domain/link/permission-notices.js';
import { announceComingEnd, noticesOf } from './announce-coming-end.js';
import type { LinkRow } from '../../announcements/events/record-webhook-event.js';

/**
 * Stores on a locked link the time at which the institution will end its permission; null = no
 * known time. The notices of each end are sent once; a different time or permission counts as a
 * different end and withdraws those of the former.
 */
export async function storePermissionEnd(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  endsAt: Date | null,
  { isRenewed = false } = {},
): Promise<void> {
  const isOther = isRenewed || endsAt?.getTime() !== link.permissionEndsAt?.getTime();
  const dueAt = nextNotice(endsAt, noticesOf(ctx, link));
  await announceComingEnd(
    ctx,
    tx,
    isOther
      ? await tx.link.update({
          where: { pk: link.pk },
          data: { permissionEndsAt: endsAt, endNoticeDueAt: dueAt },
        })
      : link,
  );
}
