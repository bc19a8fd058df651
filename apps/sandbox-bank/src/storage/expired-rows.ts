import type { Logger } from 'pino';
import type { Database } from './database.js';

const SWEEP_EVERY_MS = 10 * 60_000;
/** A login is remembered a while, so that a late repetition hears how it ended. */
const LOGIN_KEPT_FOR = '1 day';

/** A fault that is used up still meets the later tries of its last use. */
const USED_FAULT_KEPT_FOR = '2 days';

/** Deletes what has expired, now and then. Stops with `stop`. */
export function sweepExpiredRows(database: Database, logger: Logger): { stop(): void } {
  const sweep = (): void => {
    Promise.all([
      database.query(`delete from sandbox_bank.login where expires_at < now() - interval '${LOGIN_KEPT_FOR}'`),
      database.query('delete from sandbox_bank.oauth_record where expires_at < now()'),
      database.query(`delete from sandbox_bank.fault where remaining = 0 and created_at < now() - interval '${USED_FAULT_KEPT_FOR}'`),
    ]).catch((error: unknown) => logger.debug({ err: error }, 'sandbox_bank.sweep_failed'));
  };
  const timer = setInterval(sweep, SWEEP_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
