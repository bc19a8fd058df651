import type { Tx } from '../base/database/tx.js';
import { DEFAULT_WORLD, type InWorld } from './world-clock.js';

/** The limits of one app at a time. Source: link-lifecycle 14, Worlds. */
export interface WorldQuotas {
  /** Worlds, not counting the default one. */
  worlds: number;
  /** Simulated days left to process by its advances, across all its worlds. */
  daysAtWork: number;
}

const DAY_MS = 86_400_000;

/**
 * Keeps the counts below valid until the end of the transaction: only one of two concurrent calls
 * gets the last place.
 */
export async function lockQuotas(tx: Tx, appId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM applications WHERE app_id = ${appId} FOR NO KEY UPDATE`;
}

export async function hasRoomForWorld(
  tx: Tx,
  appId: string,
  { worlds }: WorldQuotas,
): Promise<boolean> {
  return (
    (await tx.sandboxWorld.count({ where: { appId, worldId: { not: DEFAULT_WORLD } } })) < worlds
  );
}

/** Whether a world at `now` may advance to `to`, given the advances of the app's other worlds. */
export async function hasRoomForDays(
  tx: Tx,
  { appId, worldId }: InWorld,
  { now, to }: { now: Date; to: Date },
  { daysAtWork }: WorldQuotas,
): Promise<boolean> {
  const others = await tx.sandboxWorld.findMany({
    where: { appId, worldId: { not: worldId }, now: { not: null }, advancingTo: { not: null } },
    select: { now: true, advancingTo: true },
  });
  const atWork = others.reduce((sum, world) => sum + daysBetween(world.now, world.advancingTo), 0);
  return atWork + daysBetween(now, to) <= daysAtWork;
}

function daysBetween(from: Date | null, to: Date | null): number {
  return from === null || to === null ? 0 : Math.max(0, to.getTime() - from.getTime()) / DAY_MS;
}
