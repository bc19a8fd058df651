import { createHash } from 'node:crypto';
import { FAILURE_MEANINGS } from '../../domain/failure-mapping.js';
import type { Product } from '../../domain/products.js';
import { PRODUCT_SPEEDS } from '../../domain/refresh-limits.js';
import { planDue, policyFor, type SchedulePolicy } from '../../domain/refresh-schedule.js';
import type { Context } from '../context.js';
import { lockLink, transitionLink } from './link-transition.js';
import { purgeLinks } from './purge-links.js';
import type { InWorld } from './world-clock.js';

/** Something that is due in a world. */
export interface AgendaEntry {
  at: Date;
  kind: 'refresh' | 'purge';
  linkId: string;
}

/** What an advance counts by comparing before and after. */
export interface LinkTally {
  authExpired: boolean;
  settledRows: number;
  events: number;
}

const NOTHING: LinkTally = { authExpired: false, settledRows: 0, events: 0 };
/** link-lifecycle 9. */
const DELETED_READABLE = '90 days';
const PURGED_AT_ONCE = 1_000;

/** What is due in a world with its own clock, from the rows of its links. Source: link-lifecycle 14, advance. */
export class WorldAgendaRepository {
  constructor(private readonly ctx: Context, private readonly policy: SchedulePolicy) {}

  /** The first entry until `to`; null = nothing is due. */
  async next({ appId, worldId }: InWorld, to: Date): Promise<AgendaEntry | null> {
    const [entry] = await this.ctx.database.prisma.$queryRaw<{ at: Date; kind: AgendaEntry['kind']; link_id: string }[]>`
      SELECT at, kind, link_id FROM (
        SELECT next_due_at AS at, 'refresh' AS kind, link_id, pk FROM links
         WHERE app_id = ${appId} AND world_id = ${worldId} AND environment = 'sandbox' AND next_due_at <= ${to}
           AND (state = 'connected' OR (state = 'error' AND error_code IN ('institution_error', 'provider_error', 'system_error')))
        UNION ALL
        SELECT deleted_at + ${DELETED_READABLE}::interval, 'purge', link_id, pk FROM links
         WHERE app_id = ${appId} AND world_id = ${worldId} AND environment = 'sandbox' AND state = 'deleted' AND deleted_at + ${DELETED_READABLE}::interval <= ${to}
      ) due ORDER BY at, kind, pk LIMIT 1`;
    return entry === undefined ? null : { at: entry.at, kind: entry.kind, linkId: entry.link_id };
  }

  /** Links whose permission may end, in the order they were made. */
  async permitted({ appId, worldId }: InWorld): Promise<string[]> {
    const rows = await this.ctx.database.prisma.link.findMany({
      where: { appId, worldId, environment: 'sandbox', connectedAt: { not: null }, deletedAt: null, credential: { isNot: null } }, select: { linkId: true }, orderBy: { pk: 'asc' },
    });
    return rows.map(({ linkId }) => linkId);
  }

  /** Links that are being fetched, in the order they were made: they come before the clock moves. */
  async underWay({ appId, worldId }: InWorld): Promise<string[]> {
    const rows = await this.ctx.database.prisma.link.findMany({
      where: { appId, worldId, environment: 'sandbox', state: { notIn: ['connecting', 'deleted'] }, products: { some: { granted: true, state: { in: ['pending', 'in_progress'] } } } }, select: { linkId: true }, orderBy: { pk: 'asc' },
    });
    return rows.map(({ linkId }) => linkId);
  }

  /**
   * Gives a link that is due its next times, by the rules of every schedule, and says which products have their turn now.
   * What is drawn there is drawn from the seed of the world: the same calls give the same times.
   */
  async takeTurn(world: InWorld, linkId: string, at: Date): Promise<Product[]> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({ where: { linkId }, include: { customerUser: { select: { userId: true } }, products: { where: { granted: true }, orderBy: { position: 'asc' } } } });
    const row = await prisma.sandboxWorld.findUnique({ where: { appId_worldId: world }, select: { seed: true } });
    if (link === null || row === null) return [];
    const chance = drawn([row.seed.toString(), link.institutionId, link.customerUser.userId, at.toISOString()]);
    const { ask, nextDueAt, slowDueAt } = planDue({ slowDueAt: link.slowDueAt, ...policyFor(this.policy, []) }, at, chance);
    await prisma.link.update({ where: { pk: link.pk }, data: { nextDueAt, slowDueAt } });
    if (ask === 'nothing') return [];
    // What the institution does not have is asked for at the slow pace; what nobody ever asked for, at once.
    const due = link.products.filter(({ product, state, unavailable }) => ask === 'all' || state === null || (PRODUCT_SPEEDS[product as Product] === 'fast' && unavailable === null));
    return due.map(({ product }) => product as Product);
  }

  /** The bank's permission has reached its end: the link needs its owner. */
  async expire(linkId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const found = await tx.link.findUnique({ where: { linkId }, select: { pk: true } });
      if (found === null || (await lockLink(tx, found.pk)).state === 'deleted') return;
      const { text } = FAILURE_MEANINGS.consent_expired;
      await transitionLink(this.ctx, tx, found.pk, { type: 'auth_lost' }, { errorMessage: text, errorCause: 'consent_expired' });
    });
  }

  /** link-lifecycle 6.3, purge: records of links that are due at this moment go, without a webhook. */
  async purge({ worldId }: InWorld, at: Date): Promise<void> {
    await purgeLinks(this.ctx, at, { worldId, limit: PURGED_AT_ONCE });
  }

  async tally(linkId: string): Promise<LinkTally> {
    const [row] = await this.ctx.database.prisma.$queryRaw<{ auth_expired: boolean; settled: number; events: number }[]>`
      SELECT coalesce(error_code = 'auth_expired', false) AS auth_expired,
             (SELECT count(*)::int FROM transaction_versions v WHERE v.link_pk = links.pk AND v.posted_seq = v.seq AND v.first_seq < v.seq) AS settled,
             (SELECT count(*)::int FROM webhook_events e WHERE e.link_id = links.link_id) AS events
        FROM links WHERE link_id = ${linkId}`;
    return row === undefined ? NOTHING : { authExpired: row.auth_expired, settledRows: row.settled, events: row.events };
  }
}

/** A number in [0, 1) that follows from the seed of the world and nothing random. */
function drawn(from: unknown): number {
  return createHash('sha256').update(JSON.stringify(from)).digest().readUInt32BE(0) / 2 ** 32;
}
