import { noticeDueAt } from '../../domain/plaid/coming-end.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { tellComingEnd } from './announce-coming-end.js';
import type { LinkRow } from '../events/record-webhook-event.js';

/**
 * Notes on a locked link when the institution will end its permission; null = at no known time. Of each end its client is
 * told once: of another end, or that of another permission, again.
 */
export async function storePermissionEnd(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  endsAt: Date | null,
  { isRenewed = false } = {},
): Promise<void> {
  const isNews = isRenewed || endsAt?.getTime() !== link.permissionEndsAt?.getTime();
  const dueAt = link.webhookFormat === 'plaid' && endsAt !== null ? noticeDueAt(endsAt) : null;
  await tellComingEnd(
    ctx,
    tx,
    isNews
      ? await tx.link.update({
          where: { pk: link.pk },
          data: { permissionEndsAt: endsAt, endNoticeDueAt: dueAt },
        })
      : link,
  );
}
