import type { WorldStore } from '../storage/worlds.js';
import { BankError } from './bank-error.js';
import { readText, readTextOrNull } from './read-text.js';

/** The world named in a body. One that comes with its seed is created if it does not exist. */
export async function readWorld(
  body: Readonly<Record<string, unknown>>,
  worlds: Pick<WorldStore, 'exists' | 'ensure'>,
): Promise<string> {
  const worldId = readText(body, 'world', 100);
  const seed = readTextOrNull(body, 'world_seed', 20);
  if (seed !== null && !/^-?\d{1,18}$/.test(seed))
    throw new BankError('invalid_request', 'world_seed must be a whole number, written as text.');
  if (seed !== null) await worlds.ensure(worldId, seed);
  else if (!(await worlds.exists(worldId)))
    throw new BankError('unknown_world', 'There is no such world.');
  return worldId;
}
