import type { AppBounds } from '../../../../domain/limits/app-bounds.js';
import { createContext, type Context } from '../../../../prisma/base/context.js';
import { openDatabase, type DatabaseTimeouts } from '../../../../prisma/base/database/database.js';
import { runTraced } from '../../../../prisma/base/database/work-origin.js';
import type { MasterKey } from '../../../../prisma/base/sealing/master-keyring.js';
import { Sealer } from '../../../../prisma/base/sealing/sealer.js';
import type { Logger } from '../logging/logger.js';

export interface ContextOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  maxConnections: number;
  connectionsPerOwner?: number;
  masterKeys: readonly MasterKey[];
  /** Bounds on the use of an app; missing: without bounds. */
  bounds?: AppBounds;
  /** The times before the end of a permission at which clients are notified; missing: none. */
  permissionNoticesMs?: readonly number[];
  /** Other limits on the waits for the database. */
  timeouts?: Partial<DatabaseTimeouts>;
  logger: Logger;
}

/** A context for repositories, with pools of its own; the caller closes its database. */
export function openContext({
  url,
  name,
  maxConnections,
  connectionsPerOwner,
  masterKeys,
  bounds,
  permissionNoticesMs,
  timeouts,
  logger,
}: ContextOptions): Context {
  const database = openDatabase({
    url,
    name,
    maxConnections,
    ...(connectionsPerOwner === undefined ? {} : { connectionsPerOwner }),
    ...(timeouts === undefined ? {} : { timeouts }),
    // Not part of the work that opened the connection.
    onError: (err) => runTraced(null, () => logger.warn({ err }, 'database.connection_lost')),
  });
  return createContext(database, new Sealer(masterKeys), {
    ...(bounds === undefined ? {} : { bounds }),
    ...(permissionNoticesMs === undefined ? {} : { permissionNoticesMs }),
  });
}
