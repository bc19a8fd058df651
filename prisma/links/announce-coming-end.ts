import { comingEndWebhook } from '../../domain/plaid/coming-end.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { loadSql } from '../database/load-sql.js';
import { lockLink } from './link-transition.js';
import { announceItem, type LinkRow } from '../events/record-webhook-event.js';
import { clockOf, DEFAULT_WORLD } from '../worlds/world-clock.js';

/**
 * Tells the client of the compatibility layer that the permission of a locked link will end, once that is due. One that
 * needs its owner already, and one that is over, need no notice. Source: plaid-compat 8.1, ITEM.
 */
export async function tellComingEnd(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  const { permissionEndsAt: endsAt, endNoticeDueAt: dueAt } = link;
  if (endsAt === null || dueAt === null) return;
  const now = await clockOf(ctx, tx, link);
  if (dueAt > now) return;
  await tx.link.update({
    where: { pk: link.pk },
    data: { endNoticeDueAt: null },
    select: { pk: true },
  });
  if (endsAt <= now || link.state === 'deleted' || link.errorCode === 'auth_expired') return;
  const { country } = await tx.institution.findUniqueOrThrow({
    where: { institutionId: link.institutionId },
    select: { country: true },
  });
  await announceItem(ctx, tx, link, comingEndWebhook(country, endsAt));
}

/**
 * The same of every link by real time, also where no fetch comes by. The clock of another world only moves while it is
 * advanced, which tells by itself. Answers how many were due.
 */
export async function tellDueEnds(ctx: Context, now: Date, limit: number): Promise<number> {
  return ctx.database.transaction(async (tx) => {
    const due = await tx.$queryRawUnsafe<{ pk: bigint }[]>(
      loadSql('due-end-notices'),
      DEFAULT_WORLD,
      now,
      limit,
    );
    for (const { pk } of due) await tellComingEnd(ctx, tx, await lockLink(tx, pk));
    return due.length;
  });
}
