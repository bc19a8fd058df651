import { nextNotice } from '../../../domain/link/permission-notices.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { loadSql } from '../../base/database/load-sql.js';
import { lockLink } from './link-transition.js';
import { announce } from '../../announcements/events/announce.js';
import { formatOf } from '../../announcements/events/formats.js';
import type { LinkRow } from '../../announcements/events/record-webhook-event.js';
import { clockOf, DEFAULT_WORLD } from '../../worlds/world-clock.js';

/** The times before the end of a permission at which the client of a link is notified, in ms. */
export function noticesOf(ctx: Context, link: LinkRow): readonly number[] {
  const { permissionNoticesMs: notices } = formatOf(link);
  return notices === 'configured' ? ctx.permissionNoticesMs : notices;
}

/**
 * Announces once, when a notice is due, that the permission of a locked link will end. A
 * permission that has ended and a link that already waits for its account owner need no notice.
 */
export async function announceComingEnd(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  const { permissionEndsAt: endsAt, endNoticeDueAt: dueAt } = link;
  if (endsAt === null || dueAt === null) return;
  const now = await clockOf(ctx, tx, link);
  if (dueAt > now) return;
  await tx.link.update({
    where: { pk: link.pk },
    data: { endNoticeDueAt: nextNotice(endsAt, noticesOf(ctx, link), now) },
    select: { pk: true },
  });
  if (endsAt <= now || link.state === 'deleted' || link.errorCode === 'auth_expired') return;
  await announce(ctx, tx, link, { kind: 'permission_ending', endsAt });
}

/**
 * Announces the end of permissions for all links in real time, independent of fetches. The clock of
 * any other world moves only when the world is advanced, and the advance announces them itself.
 * Returns the number that were due.
 */
export async function announceDueEnds(ctx: Context, now: Date, limit: number): Promise<number> {
  return ctx.database.transaction(async (tx) => {
    const due = await tx.$queryRawUnsafe<{ pk: bigint }[]>(
      loadSql('due-end-notices'),
      DEFAULT_WORLD,
      now,
      limit,
    );
    for (const { pk } of due) await announceComingEnd(ctx, tx, await lockLink(tx, pk));
    return due.length;
  });
}
