import { randomBytes, randomUUID } from 'node:crypto';
import type { RandomBytes } from '../../domain/api/ids.js';
import { UNBOUNDED, type AppBounds } from '../../domain/limits/app-bounds.js';
import type { Database } from './database/database.js';
import type { Sealer } from './sealing/sealer.js';

/**
 * The dependencies of repositories. Time, ids and randomness are parameters, so tests control them.
 */
export interface Context {
  database: Database;
  sealer: Sealer;
  clock: () => Date;
  random: RandomBytes;
  uuid: () => string;
  /** The storage bounds of an app without limits of its own. */
  bounds: AppBounds;
  /**
   * The times before the end of a permission at which clients are notified, in milliseconds; none in
   * programs that change no permission.
   */
  permissionNoticesMs: readonly number[];
}

/** Creates the context of a running process. */
export function createContext(
  database: Database,
  sealer: Sealer,
  overrides: Partial<Omit<Context, 'database' | 'sealer'>> = {},
): Context {
  return {
    database,
    sealer,
    clock: overrides.clock ?? (() => new Date()),
    random: overrides.random ?? ((length) => randomBytes(length)),
    uuid: overrides.uuid ?? randomUUID,
    bounds: overrides.bounds ?? UNBOUNDED,
    permissionNoticesMs: overrides.permissionNoticesMs ?? [],
  };
}
