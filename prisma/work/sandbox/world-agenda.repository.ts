import { createHash } from 'node:crypto';
import type { Product } from '../../../domain/link/products.js';
import { PRODUCT_SPEEDS } from '../../../domain/link/product-speed.js';
import {
  planDue,
  policyFor,
  type SchedulePolicy,
} from '../../../domain/refresh/refresh-schedule.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { InWorld } from '../../worlds/world-clock.js';

/** An event that is due in a world. */
export type AgendaEntry = { at: Date; linkId: string } & (
  | { kind: 'refresh'; link: DueLink }
  | { kind: 'purge' }
  | { kind: 'expiry' }
  | { kind: 'end_notice' }
);

/** The facts that the next turn of a link depends on. */
export interface DueLink {
  institutionId: string;
  userId: string;
  slowDueAt: Date | null;
  /** The seed of the world. */
  seed: string;
  /** The granted products, in order. */
  products: { product: Product; state: string | null; unavailable: string | null }[];
}

/** The next due times of a link, and which of its products are refreshed now. */
export interface Turn {
  products: Product[];
  nextDueAt: Date;
  slowDueAt: Date | null;
}

interface NextRow {
  at: Date;
  kind: 'refresh' | 'purge' | 'end_notice';
  link_id: string;
  institution_id: string;
  slow_due_at: Date | null;
  user_id: string;
  seed: string;
  products: DueLink['products'];
}

/**
 * The due events of a world with its own clock, derived from the rows of its links. Source:
 * link-lifecycle 14, advance.
 */
export class WorldAgendaRepository {
  constructor(
    private readonly ctx: Context,
    private readonly policy: SchedulePolicy,
  ) {}

  /** The first entry up to `to`; null = nothing is due. */
  async next({ appId, worldId }: InWorld, to: Date): Promise<AgendaEntry | null> {
    const [row] = await this.ctx.database.prisma.$queryRawUnsafe<NextRow[]>(
      loadSql('world-agenda-next'),
      appId,
      worldId,
      to,
    );
    if (row === undefined) return null;
    const {
      at,
      kind,
      link_id: linkId,
      institution_id: institutionId,
      slow_due_at: slowDueAt,
      user_id: userId,
      seed,
      products,
    } = row;
    return kind === 'refresh'
      ? { at, kind, linkId, link: { institutionId, userId, slowDueAt, seed, products } }
      : { at, kind, linkId };
  }

  /** Links whose permission may end, in order of creation. */
  async permitted({ appId, worldId }: InWorld): Promise<string[]> {
    const rows = await this.ctx.database.prisma.link.findMany({
      where: {
        appId,
        worldId,
        environment: 'sandbox',
        connectedAt: { not: null },
        deletedAt: null,
        credential: { isNot: null },
        OR: [{ errorCode: null }, { errorCode: { not: 'auth_expired' } }],
      },
      select: { linkId: true },
      orderBy: { pk: 'asc' },
    });
    return rows.map(({ linkId }) => linkId);
  }

  /** Links that are being fetched, in order of creation: they complete before the clock moves. */
  async linksInProgress({ appId, worldId }: InWorld): Promise<string[]> {
    const rows = await this.ctx.database.prisma.link.findMany({
      where: {
        appId,
        worldId,
        environment: 'sandbox',
        state: { notIn: ['connecting', 'deleted'] },
        products: { some: { granted: true, state: { in: ['pending', 'in_progress'] } } },
      },
      select: { linkId: true },
      orderBy: { pk: 'asc' },
    });
    return rows.map(({ linkId }) => linkId);
  }

  /**
   * The turn of a due link, by the rules of every schedule. Random draws use the seed of the world,
   * so the same calls result in the same times.
   */
  turnOf({ institutionId, userId, slowDueAt, seed, products }: DueLink, at: Date): Turn {
    const chance = drawn([seed, institutionId, userId, at.toISOString()]);
    const { refresh: ask, ...times } = planDue(
      { slowDueAt, ...policyFor(this.policy, []) },
      at,
      chance,
    );
    // Products that the institution does not offer follow the slow schedule; products that were
    // never requested are due immediately.
    const due = products.filter(
      ({ product, state, unavailable }) =>
        ask === 'all' ||
        state === null ||
        (PRODUCT_SPEEDS[product] === 'fast' && unavailable === null),
    );
    return { products: ask === 'nothing' ? [] : due.map(({ product }) => product), ...times };
  }
}

/** A number in [0, 1), derived only from the seed of the world. */
function drawn(from: unknown): number {
  return createHash('sha256').update(JSON.stringify(from)).digest().readUInt32BE(0) / 2 ** 32;
}
