import type { Environment } from '../../domain/api/environment.js';
import { makeId } from '../../domain/api/ids.js';
import type { Context } from '../base/context.js';
import type { SandboxWorld } from '../generated/client.js';
import { DEFAULT_WORLD, type InWorld } from './world-clock.js';

/** The providers' view of a world. */
export interface WorldFacts {
  worldId: string;
  worldSeed?: string;
  worldTime: Date | null;
}

/** The seed of every app's default world. */
const DEFAULT_SEED = 0n;

/**
 * The facts that providers receive about the world of a link or session. Only Sandbox has worlds.
 */
export async function worldFactsOf(
  ctx: Context,
  { appId, worldId, environment }: InWorld & { environment: Environment },
): Promise<WorldFacts> {
  if (environment !== 'sandbox') return { worldId: DEFAULT_WORLD, worldTime: null };
  const world =
    worldId === DEFAULT_WORLD
      ? await defaultWorld(ctx, appId)
      : await findWorld(ctx, { appId, worldId });
  if (world === null) return { worldId, worldTime: null };
  return { worldId: world.sourceRef, worldSeed: world.seed.toString(), worldTime: world.now };
}

export function findWorld(
  { database }: Context,
  { appId, worldId }: InWorld,
): Promise<SandboxWorld | null> {
  return database.prisma.sandboxWorld.findUnique({ where: { appId_worldId: { appId, worldId } } });
}

/**
 * Creates the row of the default world on first use; sandbox providers then know the world of this
 * app by a separate reference.
 */
export async function defaultWorld(ctx: Context, appId: string): Promise<SandboxWorld> {
  const { prisma } = ctx.database;
  const known = await findWorld(ctx, { appId, worldId: DEFAULT_WORLD });
  if (known !== null) return known;
  await prisma.sandboxWorld.createMany({
    data: [
      {
        appId,
        worldId: DEFAULT_WORLD,
        sourceRef: makeId('world', ctx.random),
        name: DEFAULT_WORLD,
        seed: DEFAULT_SEED,
      },
    ],
    skipDuplicates: true,
  });
  return prisma.sandboxWorld.findUniqueOrThrow({
    where: { appId_worldId: { appId, worldId: DEFAULT_WORLD } },
  });
}
