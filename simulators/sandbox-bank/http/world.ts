import { z } from 'zod';
import { storableText } from '../storage/value-forms.js';
import type { WorldStore } from '../storage/worlds.js';
import { BankError } from './bank-error.js';

/** The fields of a body that name a world. */
export const WORLD_FIELDS = {
  world: storableText(100),
  /** A whole number, written as text. */
  world_seed: z
    .string()
    .regex(/^-?\d{1,18}$/)
    .nullish(),
};

/** The id of the named world. One that comes with its seed is created if it does not exist. */
export async function enterWorld(
  worlds: Pick<WorldStore, 'exists' | 'ensure'>,
  { world: worldId, world_seed: seed }: { world: string; world_seed?: string | null | undefined },
): Promise<string> {
  if (typeof seed === 'string') await worlds.ensure(worldId, seed);
  else if (!(await worlds.exists(worldId)))
    throw new BankError('unknown_world', 'World not found.');
  return worldId;
}
