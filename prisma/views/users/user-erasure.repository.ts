import type { Tenant } from '../../../domain/api/environment.js';
import { permitsUser } from '../../../domain/api/restriction.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { Prisma } from '../../generated/client.js';
import { endSession } from '../../links/sessions/end-session.js';
import { ERASED as OF_DELETED_WORLDS } from '../../worlds/erased-links.js';
import { lockLink, transitionLink } from '../../links/link/link-transition.js';
import { lockSession } from '../../links/sessions/lock-session.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import { sessionTokensKey } from '../../base/sealing/session-tokens.js';
import { removeEventsOf } from '../../announcements/webhook-log/remove-events.js';

/**
 * `more`: another step can run now; `waiting`: for a bank, a delivery or a session; `done`: nothing
 * remains.
 */
export type ErasureProgress = 'more' | 'waiting' | 'done';

/** In `error_cause` of a link: its erasure has started. */
const ERASED = 'user_erased';
const AT_ONCE = 20;
/** No step of an ended session runs longer than this, so nothing writes to its row afterwards. */
const SETTLED_MS = 3 * 60_000;
/**
 * The maximum time for delivering the last event of a link before it is removed undelivered. Longer
 * than WEBHOOK_ATTEMPTS_AT.
 */
const ANNOUNCED_MS = 72 * 3_600_000;

interface Erasure {
  erasureId: string;
  customerUserPk: bigint;
  requestedAt: Date;
}

/**
 * Erases customer users. The request immediately removes the contact data and the app's own id of
 * the user; the rest is erased step by step, and steps may repeat in any order. Source: native-api
 * 3.7.
 */
export class UserErasureRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Does nothing for a user unknown to the caller, so a repeated request has no effect.
   * @returns the known permissions that their sources do not support ending
   */
  async request(tenant: Tenant, userId: string): Promise<EndlessPermission[]> {
    if (!permitsUser(tenant, userId)) return [];
    const { appId, environment } = tenant;
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const [user] = await tx.$queryRaw<{ pk: bigint }[]>`
        SELECT pk FROM customer_users WHERE app_id = ${appId} AND environment = ${environment} AND user_id = ${userId} FOR UPDATE`;
      if (user === undefined) return [];
      const erasureId = ctx.uuid();
      await tx.customerUser.update({
        where: { pk: user.pk },
        data: { userId: erasureId, email: Prisma.DbNull, phone: Prisma.DbNull },
      });
      // The id is forgotten everywhere. A pair without a user left reaches nothing.
      await tx.$executeRaw`
        UPDATE api_clients SET restriction = jsonb_set(restriction, '{users}', (restriction->'users') - ${userId}::text)
         WHERE app_id = ${appId} AND environment = ${environment} AND restriction->'users' @> to_jsonb(ARRAY[${userId}::text])`;
      await tx.simplefinToken.deleteMany({ where: { customerUserPk: user.pk } });
      await tx.userErasure.create({
        data: { erasureId, appId, environment, customerUserPk: user.pk, requestedAt: ctx.clock() },
      });
      await enqueueCommand(tx, { kind: 'startUserErasure', erasureId });
      return endlessPermissions(tx, user.pk);
    });
  }

  /**
   * Runs one step, a few rows per transaction: ends sessions and links as usual, then removes their
   * records.
   */
  async advance(erasureId: string): Promise<ErasureProgress> {
    const found = await this.ctx.database.prisma.userErasure.findUnique({ where: { erasureId } });
    if (found === null || found.customerUserPk === null) return 'done';
    const erasure = { ...found, customerUserPk: found.customerUserPk };
    for (const work of [this.endSessions, this.endLinks, this.removeSessions, this.removeLinks]) {
      if ((await work.call(this, erasure)) === AT_ONCE) return 'more';
    }
    return this.finish(erasure);
  }

  /**
   * For the sweeper: runs a step of every erasure requested before `before`. @returns the number
   * that progressed
   */
  async sweep(before: Date, limit: number): Promise<number> {
    const open = await this.ctx.database.prisma.userErasure.findMany({
      where: { erasedAt: null, requestedAt: { lt: before } },
      orderBy: { requestedAt: 'asc' },
      take: limit,
    });
    for (const { erasureId } of open) await this.advance(erasureId);
    return open.length;
  }

  private async endSessions({ customerUserPk }: Erasure): Promise<number> {
    const { ctx } = this;
    const open = await ctx.database.prisma.linkSession.findMany({
      where: { customerUserPk, state: { not: 'ended' } },
      select: { sessionId: true },
      take: AT_ONCE,
    });
    for (const { sessionId } of open) {
      await ctx.database.transaction(async (tx) => {
        const session = await lockSession(tx, sessionId);
        if (session === null || session.state === 'ended') return;
        await endSession(ctx, tx, sessionId, ERASED);
        await enqueueCommand(tx, {
          kind: 'signalSession',
          sessionId,
          mode: session.beganAs === 'relink' ? 'relink' : 'link',
          signal: 'ended',
        });
      });
    }
    return open.length;
  }

  private async endLinks({ customerUserPk }: Erasure): Promise<number> {
    const { ctx } = this;
    const living = await ctx.database.prisma.link.findMany({
      where: {
        customerUserPk,
        // The sweeper removes these with their events, and the erasure waits for it.
        environment: { not: OF_DELETED_WORLDS },
        OR: [{ errorCause: null }, { errorCause: { not: ERASED } }],
      },
      select: { pk: true },
      orderBy: { pk: 'asc' },
      take: AT_ONCE,
    });
    for (const { pk } of living) await ctx.database.transaction((tx) => endLink(ctx, tx, pk));
    return living.length;
  }

  /** Erases the content of sessions immediately, and their rows once no step is in progress. */
  private async removeSessions({ customerUserPk }: Erasure): Promise<number> {
    const { ctx } = this;
    const settledBefore = new Date(ctx.clock().getTime() - SETTLED_MS);
    return ctx.database.transaction(async (tx) => {
      await tx.linkSession.updateMany({
        where: { customerUserPk, state: 'ended' },
        data: {
          tags: [],
          redirectUri: null,
          webhook: null,
          options: Prisma.DbNull,
          exit: Prisma.DbNull,
          sealedLinkToken: null,
          sealedPublicToken: null,
        },
      });
      const settled = await tx.linkSession.findMany({
        where: {
          customerUserPk,
          state: 'ended',
          OR: [{ openedAt: null }, { endedAt: { lte: settledBefore } }],
        },
        select: { sessionId: true },
        take: AT_ONCE,
      });
      const ids = settled.map(({ sessionId }) => sessionId);
      await removeEventsOf(tx, ids);
      await tx.dataKey.deleteMany({
        where: { owner: { in: ids.flatMap((id) => [`session/${id}`, sessionTokensKey(id)]) } },
      });
      await tx.routeDecision.deleteMany({ where: { sessionId: { in: ids } } });
      await tx.linkSession.deleteMany({ where: { sessionId: { in: ids } } });
      return settled.length;
    });
  }

  /**
   * A record stays until its sessions are gone, its permission has ended at the bank, and its last
   * event is delivered.
   */
  private async removeLinks({ customerUserPk, requestedAt }: Erasure): Promise<number> {
    const { ctx } = this;
    const isLate = requestedAt.getTime() + ANNOUNCED_MS <= ctx.clock().getTime();
    return ctx.database.transaction(async (tx) => {
      const links = await tx.$queryRaw<{ pk: bigint; link_id: string }[]>`
        SELECT l.pk, l.link_id FROM links l
         WHERE l.customer_user_pk = ${customerUserPk} AND l.error_cause = ${ERASED}
           AND NOT EXISTS (SELECT FROM link_sessions s WHERE s.link_pk = l.pk)
           AND NOT EXISTS (SELECT FROM permission_revocations r WHERE r.link_pk = l.pk)
           AND (${isLate} OR NOT EXISTS (
                 SELECT FROM webhook_events e JOIN webhook_deliveries d ON d.event_pk = e.pk
                  WHERE e.link_id = l.link_id AND d.status = 'pending'))
         ORDER BY l.pk LIMIT ${AT_ONCE}
           FOR UPDATE OF l SKIP LOCKED`;
      const pks = links.map(({ pk }) => pk);
      const ids = links.map(({ link_id: linkId }) => linkId);
      if (isLate) await removeEventsOf(tx, ids);
      else await forgetReceivers(tx, ids);
      await tx.transactionVersion.deleteMany({ where: { linkPk: { in: pks } } });
      await tx.investmentTransactionVersion.deleteMany({ where: { linkPk: { in: pks } } });
      await tx.dataKey.deleteMany({
        where: { owner: { in: ids.flatMap((id) => [`link/${id}`, `credential/${id}`]) } },
      });
      await tx.link.deleteMany({ where: { pk: { in: pks } } });
      return links.length;
    });
  }

  /** Leaves only the tombstone: a random id, the tenant and two times. */
  private async finish({ erasureId, customerUserPk }: Erasure): Promise<ErasureProgress> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM customer_users WHERE pk = ${customerUserPk} FOR UPDATE`;
      const [sessions, links] = [
        await tx.linkSession.count({ where: { customerUserPk } }),
        await tx.link.count({ where: { customerUserPk } }),
      ];
      if (sessions > 0 || links > 0) return 'waiting';
      await tx.customerUser.deleteMany({ where: { pk: customerUserPk } });
      await tx.userErasure.update({
        where: { erasureId },
        data: { customerUserPk: null, erasedAt: ctx.clock() },
      });
      return 'done';
    });
  }
}

/** A permission that will not end at its source. */
export interface EndlessPermission {
  linkId: string;
  institutionId: string;
  provider: string;
}

/** Derived from the settings of their configurations, as read by a worker at the last check. */
function endlessPermissions(tx: Tx, customerUserPk: bigint): Promise<EndlessPermission[]> {
  return tx.$queryRaw<EndlessPermission[]>`
    SELECT l.link_id AS "linkId", l.institution_id AS "institutionId", held.provider
      FROM links l
      JOIN provider_credentials held ON held.link_pk = l.pk
      JOIN provider_configurations configuration ON configuration.name = held.provider
      LEFT JOIN institution_routes route ON route.institution_id = l.institution_id AND route.provider = held.provider
     WHERE l.customer_user_pk = ${customerUserPk}
       AND ('*' = ANY (configuration.cannot_revoke) OR route.remote_id = ANY (configuration.cannot_revoke))
     ORDER BY l.pk`;
}

/**
 * The ordinary deletion of a link (link-lifecycle 9). Tags, which are the app's own text, are
 * removed before it is announced.
 */
async function endLink(ctx: Context, tx: Tx, linkPk: bigint): Promise<void> {
  const rows =
    await tx.$queryRaw`SELECT 1 FROM links WHERE pk = ${linkPk} AND error_cause IS DISTINCT FROM ${ERASED} FOR NO KEY UPDATE`;
  if ((rows as unknown[]).length === 0) return;
  const { linkId, state } = await lockLink(tx, linkPk);
  await removeEventsOf(tx, [linkId]);
  await tx.link.update({ where: { pk: linkPk }, data: { tags: [], errorMessage: null } });
  if (state !== 'deleted') await transitionLink(ctx, tx, linkPk, { type: 'delete' });
  await tx.link.update({ where: { pk: linkPk }, data: { webhook: null, errorCause: ERASED } });
}

/** Addresses and responses of receivers may identify a user. */
async function forgetReceivers(tx: Tx, linkIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_deliveries d SET url = d.endpoint, history = '[]'
      FROM webhook_events e WHERE e.pk = d.event_pk AND e.link_id = ANY(${[...linkIds]}::text[])`;
}
