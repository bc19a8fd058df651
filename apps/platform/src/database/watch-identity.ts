import type { Database } from '../../../../prisma/base/database/database.js';
import { ForeignDatabase } from '../../../../prisma/base/database/database-identity.js';
import { isForeignDatabase } from '../../../../prisma/base/database/database-failures.js';
import type { Logger } from '../logging/logger.js';
import { NotReady, type HealthCheck } from '../process/health-check.js';
import { PollLoop } from '../process/poll-loop.js';

/** New connections are checked when they open; this check also covers open ones. */
const CHECKED_EVERY_MS = 5_000;

export interface WatchOptions {
  database: Pick<Database, 'checkIdentity'>;
  logger: Logger;
  /** Called once, when the identity of the database has changed. */
  onForeign?: (error: unknown) => void;
}

/**
 * Checks every few seconds that the database is still the one that the service writes to, and logs each change. While
 * it is not, the process gets no connection; the first check after `operator recover` admits it again.
 */
export function watchIdentity({ database, logger, onForeign }: WatchOptions): PollLoop {
  let isForeign = false;
  const watch = new PollLoop({
    work: async () => {
      try {
        await database.checkIdentity();
        if (isForeign) logger.info({}, 'database.identity_adopted');
        isForeign = false;
      } catch (err) {
        if (!isForeignDatabase(err)) return false;
        if (!isForeign) {
          logger.error({ err }, 'database.identity_foreign');
          onForeign?.(err);
        }
        isForeign = true;
      }
      return false;
    },
    pollMs: CHECKED_EVERY_MS,
    onError: () => undefined,
  });
  watch.start();
  return watch;
}

/** The part of readiness that is down while the database was restored or failed over and not recovered. */
export function identityCheck(database: Pick<Database, 'checkIdentity'>): HealthCheck {
  return {
    part: 'database_identity',
    critical: true,
    check: async () => {
      try {
        await database.checkIdentity();
      } catch (error) {
        throw error instanceof ForeignDatabase ? new NotReady(error.problem, error.remedy) : error;
      }
    },
  };
}
