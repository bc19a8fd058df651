import type { WorldFacts } from '../../provider.js';

/** How a body names the world of a call: with its seed the bank makes it when it is not there. */
export function worldFields({ worldId, worldSeed }: WorldFacts): Readonly<Record<string, unknown>> {
  return { world: worldId, ...(worldSeed === undefined ? {} : { world_seed: worldSeed }) };
}

/** The clock of a world is kept by the core and comes with every call. */
export function worldHeaders({
  worldTime,
}: Pick<WorldFacts, 'worldTime'>): Readonly<Record<string, string>> {
  return worldTime === undefined || worldTime === null
    ? {}
    : { 'world-time': worldTime.toISOString() };
}
