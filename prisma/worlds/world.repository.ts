import { makeId } from '../../domain/api/ids.js';
import { NOTHING_RAN, type RanCounts } from '../../domain/sandbox/advance-counts.js';
import type { Context } from '../base/context.js';
import type { Tx } from '../base/database/tx.js';
import { Prisma, type SandboxWorld } from '../generated/client.js';
import { eraseWorld } from './erase-world.js';
import { removeErasedLinks } from './erased-links.js';
import { DEFAULT_WORLD, type InWorld } from './world-clock.js';
import { defaultWorld, findWorld, worldFactsOf, type WorldFacts } from './world-facts.js';
import { hasRoomForDays, hasRoomForWorld, lockQuotas, type WorldQuotas } from './world-quotas.js';

export interface WorldRecord {
  worldId: string;
  name: string;
  seed: bigint;
  now: Date;
  enforceRefreshLimits: boolean;
  createdAt: Date;
}

export interface NewWorld {
  name: string;
  seed: bigint;
  start: Date;
  enforceRefreshLimits: boolean;
}

/** Batches of rows of deleted links, each in its own transaction. */
const BATCHES_AT_ONCE = 5;
const NO_QUOTAS: WorldQuotas = { worlds: Infinity, daysAtWork: Infinity };

/** Sandbox worlds of an app. Source: link-lifecycle 14. */
export class WorldRepository {
  constructor(
    private readonly ctx: Context,
    private readonly quotas: WorldQuotas = NO_QUOTAS,
  ) {}

  /** Null = the app has reached its limit of worlds. */
  async create(appId: string, { start, ...fields }: NewWorld): Promise<WorldRecord | null> {
    const worldId = makeId('world', this.ctx.random);
    // Providers know the world by a separate reference, because the id that an app passes around
    // must not grant access there.
    const sourceRef = makeId('world', this.ctx.random);
    return this.ctx.database.transaction(async (tx) => {
      await lockQuotas(tx, appId);
      if (!(await hasRoomForWorld(tx, appId, this.quotas))) return null;
      const createdAt = this.ctx.clock();
      const row = await tx.sandboxWorld.create({
        data: { appId, worldId, sourceRef, now: start, ...fields, createdAt },
      });
      return this.record(row);
    });
  }

  /** The default world first, then the others, oldest first. */
  async list(appId: string): Promise<WorldRecord[]> {
    const first = await defaultWorld(this.ctx, appId);
    const others = await this.ctx.database.prisma.sandboxWorld.findMany({
      where: { appId, worldId: { not: DEFAULT_WORLD } },
      orderBy: [{ createdAt: 'asc' }, { worldId: 'asc' }],
    });
    return [first, ...others].map((row) => this.record(row));
  }

  async find(appId: string, worldId: string): Promise<WorldRecord | null> {
    const row =
      worldId === DEFAULT_WORLD
        ? await defaultWorld(this.ctx, appId)
        : await findWorld(this.ctx, { appId, worldId });
    return row === null ? null : this.record(row);
  }

  /** The facts that sandbox providers receive about it. */
  facts(appId: string, worldId: string): Promise<WorldFacts> {
    return worldFactsOf(this.ctx, { appId, worldId, environment: 'sandbox' });
  }

  /**
   * Resolves the reference under which sandbox providers know a world of this app to the app's own
   * name for it.
   */
  async nameOf(appId: string, sourceRef: string): Promise<string | null> {
    const row = await this.ctx.database.prisma.sandboxWorld.findUnique({
      where: { sourceRef },
      select: { appId: true, worldId: true },
    });
    return row?.appId === appId ? row.worldId : null;
  }

  /** Sets the target of an advance; a world that is already advancing keeps the later target. */
  async setTarget(world: InWorld, until: Date): Promise<'aimed' | 'no_world' | 'over_quota'> {
    return this.ctx.database.transaction(async (tx) => {
      await lockQuotas(tx, world.appId);
      const row = await lockWorld(tx, world);
      if (row === null || row.now === null) return 'no_world';
      const { now, advancingTo } = row;
      const to = advancingTo !== null && advancingTo > until ? advancingTo : until;
      // A call that joins an advance without extending it adds no work.
      const isMore = advancingTo === null || to > advancingTo;
      if (isMore && !(await hasRoomForDays(tx, world, { now, to }, this.quotas)))
        return 'over_quota';
      // Counts belong to one advance, and a new one has not started to move the clock.
      const ran = advancingTo === null ? { ran: Prisma.DbNull } : {};
      const { sourceRef } = row;
      await tx.sandboxWorld.update({ where: { sourceRef }, data: { advancingTo: to, ...ran } });
      return 'aimed';
    });
  }

  /**
   * Marks the start of the clock's movement, from which work is counted. Null = the world no longer
   * exists, or is not advancing.
   */
  async depart({ appId, worldId }: InWorld): Promise<{ now: Date; to: Date } | null> {
    const [row] = await this.ctx.database.prisma.$queryRaw<{ now: Date; advancing_to: Date }[]>`
      UPDATE sandbox_worlds SET ran = coalesce(ran, ${JSON.stringify(NOTHING_RAN)}::jsonb)
       WHERE app_id = ${appId} AND world_id = ${worldId} AND now IS NOT NULL AND advancing_to IS NOT NULL
      RETURNING now, advancing_to`;
    return row === undefined ? null : { now: row.now, to: row.advancing_to };
  }

  async ran(world: InWorld): Promise<{ ran: RanCounts; settled: boolean }> {
    const row = await findWorld(this.ctx, world);
    return {
      ran: { ...NOTHING_RAN, ...(row?.ran as Partial<RanCounts> | null) },
      settled: row?.advancingTo === null,
    };
  }

  /**
   * Nothing is due until `to`: moves the clock there. Null = it has arrived, or the world no longer
   * exists; otherwise the advance continues.
   */
  async arrive({ appId, worldId }: InWorld, to: Date): Promise<{ now: Date; to: Date } | null> {
    const [row] = await this.ctx.database.prisma.$queryRaw<
      { now: Date; advancing_to: Date | null }[]
    >`
      UPDATE sandbox_worlds SET now = greatest(now, ${to}), advancing_to = CASE WHEN advancing_to > ${to} THEN advancing_to END
       WHERE app_id = ${appId} AND world_id = ${worldId} AND now IS NOT NULL AND advancing_to IS NOT NULL
      RETURNING now, advancing_to`;
    return row === undefined || row.advancing_to === null
      ? null
      : { now: row.now, to: row.advancing_to };
  }

  /**
   * Deletes a world: it and its links are unknown from then on, and the app may create another.
   * Small worlds are removed immediately; the sweeper removes the rest of larger ones. False =
   * there is no such world.
   */
  async erase(world: InWorld): Promise<boolean> {
    const erased = await this.ctx.database.transaction(async (tx) => {
      const row = await lockWorld(tx, world);
      if (row !== null) await eraseWorld(this.ctx, tx, row);
      return row !== null;
    });
    if (erased) await removeErasedLinks(this.ctx, { batches: BATCHES_AT_ONCE });
    return erased;
  }

  private record({
    worldId,
    name,
    seed,
    now,
    enforceRefreshLimits,
    createdAt,
  }: SandboxWorld): WorldRecord {
    return { worldId, name, seed, now: now ?? this.ctx.clock(), enforceRefreshLimits, createdAt };
  }
}

async function lockWorld(tx: Tx, { appId, worldId }: InWorld): Promise<SandboxWorld | null> {
  await tx.$queryRaw`SELECT 1 FROM sandbox_worlds WHERE app_id = ${appId} AND world_id = ${worldId} FOR UPDATE`;
  return tx.sandboxWorld.findUnique({ where: { appId_worldId: { appId, worldId } } });
}
