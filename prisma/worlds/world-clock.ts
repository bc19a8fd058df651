import type { Context } from '../base/context.js';
import type { Tx } from '../base/database/tx.js';

/** The world every app starts with; it follows real time. Source: link-lifecycle 14. */
export const DEFAULT_WORLD = 'default';

/** Anything that lives in a world of an app: a link, a session. */
export interface InWorld {
  appId: string;
  worldId: string;
}

/**
 * The current time of a link. link-lifecycle 14: the clock of a world dates all data,
 * `refreshed_at`, `last_synced_at`, `state_changed_at` and `webhook_timestamp`; it is stopped
 * except while the world is advanced. Tokens, sessions, deliveries and all times that are compared
 * across processes follow `ctx.clock` or the database.
 */
export async function clockOf(
  ctx: Context,
  db: Tx | Context['database']['prisma'],
  world: InWorld,
): Promise<Date> {
  if (world.worldId === DEFAULT_WORLD) return ctx.clock();
  const known = db === ctx.database.prisma ? null : knownTimes(db);
  const key = `${world.appId}/${world.worldId}`;
  const time = known?.get(key) ?? (await readClock(db, world));
  if (time !== null) known?.set(key, time);
  return time ?? ctx.clock();
}

/**
 * Within one transaction a world's clock is read once, so everything the transaction writes has the
 * same time.
 */
const known = new WeakMap<object, Map<string, Date>>();

function knownTimes(tx: object): Map<string, Date> {
  const times = known.get(tx) ?? new Map<string, Date>();
  known.set(tx, times);
  return times;
}

/**
 * Records the time that a transaction has set, or read under a lock, so that it is not read again.
 */
export function rememberClock(tx: Tx, { appId, worldId }: InWorld, now: Date): void {
  knownTimes(tx).set(`${appId}/${worldId}`, now);
}

async function readClock(
  db: Tx | Context['database']['prisma'],
  { appId, worldId }: InWorld,
): Promise<Date | null> {
  const world = await db.sandboxWorld.findUnique({
    where: { appId_worldId: { appId, worldId } },
    select: { now: true },
  });
  return world?.now ?? null;
}

/** The time as providers receive it: null = real time. */
export async function worldTimeOf(ctx: Context, world: InWorld): Promise<Date | null> {
  return world.worldId === DEFAULT_WORLD ? null : clockOf(ctx, ctx.database.prisma, world);
}
