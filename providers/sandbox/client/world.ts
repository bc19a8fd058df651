import type { WorldFacts } from '../../contract/provider.js';

/** The world in a request body. With a seed, the bank creates the world if it does not exist. */
export function worldFields({ worldId, worldSeed }: WorldFacts): Readonly<Record<string, unknown>> {
  return { world: worldId, ...(worldSeed === undefined ? {} : { world_seed: worldSeed }) };
}

/** The core keeps the clock of a world and sends it with every call. */
export function worldHeaders({
  worldTime,
}: Pick<WorldFacts, 'worldTime'>): Readonly<Record<string, string>> {
  return worldTime === undefined || worldTime === null
    ? {}
    : { 'world-time': worldTime.toISOString() };
}
