import { makeId } from '../../domain/ids.js';
import { NOTHING_RAN, type RanCounts } from '../../domain/ran-counts.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import type { SandboxWorld } from '../generated/client.js';
import { enqueueCommand } from './outbox.js';
import { DEFAULT_WORLD, type InWorld } from './world-clock.js';
import { defaultWorld, findWorld, worldFactsOf, type WorldFacts } from './world-facts.js';

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

/** Sandbox worlds of an app. Source: link-lifecycle 14. */
export class WorldRepository {
  constructor(private readonly ctx: Context) {}

  async create(appId: string, { name, seed, start, enforceRefreshLimits }: NewWorld): Promise<WorldRecord> {
    const worldId = makeId('world', this.ctx.random);
    const row = await this.ctx.database.prisma.sandboxWorld.create({
      data: { appId, worldId, sourceRef: worldId, name, seed, now: start, enforceRefreshLimits, createdAt: this.ctx.clock() },
    });
    return this.record(row);
  }

  /** The default world first, then the others, oldest first. */
  async list(appId: string): Promise<WorldRecord[]> {
    const first = await defaultWorld(this.ctx, appId);
    const others = await this.ctx.database.prisma.sandboxWorld.findMany({ where: { appId, worldId: { not: DEFAULT_WORLD } }, orderBy: [{ createdAt: 'asc' }, { worldId: 'asc' }] });
    return [first, ...others].map((row) => this.record(row));
  }

  async find(appId: string, worldId: string): Promise<WorldRecord | null> {
    const row = worldId === DEFAULT_WORLD ? await defaultWorld(this.ctx, appId) : await findWorld(this.ctx, { appId, worldId });
    return row === null ? null : this.record(row);
  }

  /** What pretend sources are told of it. */
  facts(appId: string, worldId: string): Promise<WorldFacts> {
    return worldFactsOf(this.ctx, { appId, worldId, environment: 'sandbox' });
  }

  /** Whether pretend sources know a world of this app by that name, and what the app calls it. */
  async nameOf(appId: string, sourceRef: string): Promise<string | null> {
    const row = await this.ctx.database.prisma.sandboxWorld.findUnique({ where: { sourceRef }, select: { appId: true, worldId: true } });
    return row?.appId === appId ? row.worldId : null;
  }

  /** Sets how far a world is to go; one that is on its way already goes on to the later moment. False = there is no such world. */
  async aim(world: InWorld, to: Date): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const row = await lockWorld(tx, world);
      if (row === null || row.now === null) return false;
      const isUnderWay = row.advancingTo !== null;
      const until = isUnderWay && row.advancingTo !== null && row.advancingTo > to ? row.advancingTo : to;
      await tx.sandboxWorld.update({ where: { sourceRef: row.sourceRef }, data: { advancingTo: until, ...(isUnderWay ? {} : { ran: { ...NOTHING_RAN } }) } });
      return true;
    });
  }

  /** From where the world goes, and to where; null = it stands still, or is gone. */
  async course(world: InWorld): Promise<{ now: Date; to: Date } | null> {
    const row = await findWorld(this.ctx, world);
    return row === null || row.now === null || row.advancingTo === null ? null : { now: row.now, to: row.advancingTo };
  }

  async ran(world: InWorld): Promise<{ ran: RanCounts; settled: boolean }> {
    const row = await findWorld(this.ctx, world);
    return { ran: { ...NOTHING_RAN, ...(row?.ran as Partial<RanCounts> | null) }, settled: row?.advancingTo === null };
  }

  /** Moves the clock of a world forward and counts what was done at the moment it leaves. Answers its course; null = it is gone, or stands still. */
  async move({ appId, worldId }: InWorld, to: Date, done: RanCounts): Promise<{ now: Date; to: Date } | null> {
    const [row] = await this.ctx.database.prisma.$queryRaw<{ now: Date; advancing_to: Date }[]>`
      UPDATE sandbox_worlds SET now = greatest(now, ${to}), ran = jsonb_build_object(
        'scheduled_refreshes', coalesce((ran->>'scheduled_refreshes')::int, 0) + ${done.scheduled_refreshes}::int,
        'settled_rows', coalesce((ran->>'settled_rows')::int, 0) + ${done.settled_rows}::int,
        'expired_auths', coalesce((ran->>'expired_auths')::int, 0) + ${done.expired_auths}::int,
        'events', coalesce((ran->>'events')::int, 0) + ${done.events}::int)
       WHERE app_id = ${appId} AND world_id = ${worldId} AND now IS NOT NULL AND advancing_to IS NOT NULL
      RETURNING now, advancing_to`;
    return row === undefined ? null : { now: row.now, to: row.advancing_to };
  }

  /** Ends an advance that has arrived; false = it is to go further. */
  async arrive(world: InWorld): Promise<boolean> {
    const arrived = await this.ctx.database.prisma.$executeRaw`
      UPDATE sandbox_worlds SET advancing_to = NULL WHERE app_id = ${world.appId} AND world_id = ${world.worldId} AND (advancing_to IS NULL OR advancing_to <= now)`;
    return arrived > 0;
  }

  /**
   * Erases a world and everything of its links at once, without a word to anybody; pretend sources are told to forget it.
   * False = there is no such world.
   */
  async erase(world: InWorld): Promise<boolean> {
    const { appId, worldId } = world;
    return this.ctx.database.transaction(async (tx) => {
      const row = await lockWorld(tx, world);
      if (row === null) return false;
      const links = await tx.$queryRaw<{ pk: bigint; link_id: string }[]>`
        SELECT pk, link_id FROM links WHERE app_id = ${appId} AND world_id = ${worldId} AND environment = 'sandbox' ORDER BY pk FOR UPDATE`;
      const linkIds = links.map(({ link_id: linkId }) => linkId);
      const linkPks = links.map(({ pk }) => pk);
      const sessions = await tx.linkSession.findMany({ where: { appId, worldId, environment: 'sandbox' }, select: { sessionId: true, beganAs: true } });
      for (const { sessionId, beganAs } of sessions) await enqueueCommand(tx, { kind: 'signalSession', sessionId, mode: beganAs === 'relink' ? 'relink' : 'link', signal: 'ended' });
      const owners = [...linkIds.flatMap((linkId) => [`link/${linkId}`, `credential/${linkId}`]), ...sessions.map(({ sessionId }) => `session/${sessionId}`)];
      await tx.dataKey.deleteMany({ where: { owner: { in: owners } } });
      await tx.linkSession.deleteMany({ where: { appId, worldId, environment: 'sandbox' } });
      await tx.transactionVersion.deleteMany({ where: { linkPk: { in: linkPks } } });
      await tx.webhookEvent.deleteMany({ where: { linkId: { in: linkIds } } });
      await tx.link.deleteMany({ where: { pk: { in: linkPks } } });
      await tx.sandboxWorld.delete({ where: { sourceRef: row.sourceRef } });
      await enqueueCommand(tx, { kind: 'forgetWorld', sourceRef: row.sourceRef });
      return true;
    });
  }

  private record({ worldId, name, seed, now, enforceRefreshLimits, createdAt }: SandboxWorld): WorldRecord {
    return { worldId, name, seed, now: now ?? this.ctx.clock(), enforceRefreshLimits, createdAt };
  }
}

async function lockWorld(tx: Tx, { appId, worldId }: InWorld): Promise<SandboxWorld | null> {
  await tx.$queryRaw`SELECT 1 FROM sandbox_worlds WHERE app_id = ${appId} AND world_id = ${worldId} FOR UPDATE`;
  return tx.sandboxWorld.findUnique({ where: { appId_worldId: { appId, worldId } } });
}
