import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { announceComingEnd } from './announce-coming-end.js';
import { formatOf } from '../events/formats.js';
import type { LinkRow } from '../events/record-webhook-event.js';

/**
 * Stores on a locked link the time at which the institution will end its permission; null = no
 * known time. Each end is announced once; a different time or permission counts as a different end.
 */
export async function storePermissionEnd(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  endsAt: Date | null,
  { isRenewed = false } = {},
): Promise<void> {
  const isOther = isRenewed || endsAt?.getTime() !== link.permissionEndsAt?.getTime();
  const { permissionNoticeMs: noticeMs } = formatOf(link);
  const dueAt = endsAt === null || noticeMs === null ? null : new Date(endsAt.getTime() - noticeMs);
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
