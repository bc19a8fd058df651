import type { Context } from '../context.js';
import type { Tx } from '../database.js';

/** The world every app has from the beginning; it follows real time. Source: link-lifecycle 14. */
export const DEFAULT_WORLD = 'default';

/** Whatever lives in a world of an app: a link, a session. */
export interface InWorld {
  appId: string;
  worldId: string;
}

/**
 * What time it is for a link. link-lifecycle 14: the clock of a world dates all data, `refreshed_at`, `last_synced_at`,
 * `state_changed_at` and `webhook_timestamp`; it stands still except while the world is advanced. Tokens, sessions,
 * deliveries and everything that processes compare among themselves follow `ctx.clock` or the database.
 */
export async function clockOf(ctx: Context, db: Tx | Context['database']['prisma'], { appId, worldId }: InWorld): Promise<Date> {
  if (worldId === DEFAULT_WORLD) return ctx.clock();
  const world = await db.sandboxWorld.findUnique({ where: { appId_worldId: { appId, worldId } }, select: { now: true } });
  return world?.now ?? ctx.clock();
}

/** The same as a source is told it: null = real time. */
export async function worldTimeOf(ctx: Context, world: InWorld): Promise<Date | null> {
  return world.worldId === DEFAULT_WORLD ? null : clockOf(ctx, ctx.database.prisma, world);
}
