import type { Logger } from 'pino';
import type { Database } from './database.js';

const SWEEP_EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** An ended login is kept for a while, so that a late repetition finds its result. */
const LOGIN_KEPT_MS = DAY_MS;
/** A consumed fault still applies to later attempts of its last use. */
const USED_FAULT_KEPT_MS = 2 * DAY_MS;
/** A permission that the customer ended is refused in the same way after its row is deleted. */
const REVOKED_KEPT_MS = 7 * DAY_MS;
/** Rows deleted by one statement, which has a time limit. */
const BATCH = 2_000;

const isOlder = (column: string): string => `${column} < now() - $1 * interval '1 millisecond'`;

interface Expiry {
  table: string;
  where: string;
  /** The value of $1; `unused` is the setting. */
  keptMs?: number | 'unused';
}

/** The deletions, in this order. */
const EXPIRIES: readonly Expiry[] = [
  { table: 'login', where: isOlder('expires_at'), keptMs: LOGIN_KEPT_MS },
  { table: 'oauth_record', where: 'expires_at < now()' },
  {
    table: 'fault',
    where: `remaining = 0 and ${isOlder('created_at')}`,
    keptMs: USED_FAULT_KEPT_MS,
  },
  { table: 'connection', where: isOlder('revoked_at'), keptMs: REVOKED_KEPT_MS },
  { table: 'connection', where: isOlder('last_used_at'), keptMs: 'unused' },
  { table: 'changing_history', where: hasNone('connection', 'history_id') },
  { table: 'scripted_history', where: hasNone('connection', 'history_id') },
  {
    table: 'world',
    where: [
      isOlder('last_used_at'),
      `world_id <> 'default'`,
      hasNone('connection', 'world_id'),
      hasNone('login', 'world_id'),
    ].join(' and '),
    keptMs: 'unused',
  },
];

function hasNone(table: string, column: string): string {
  return `not exists (select from sandbox_bank.${table} other where other.${column} = t.${column})`;
}
export interface SweeperParts {
  /** Connections and worlds that were not used for this long are deleted. */
  retentionMs: number;
  logger: Logger;
  /** The first sweep follows this delay. */
  from: Promise<void>;
}

/** Deletes expired rows, at the start and every ten minutes. Stops with `stop`. */
export function sweepExpiredRows(database: Database, parts: SweeperParts): { stop(): void } {
  const { retentionMs, logger, from } = parts;
  let stopped = false;

  async function sweep(): Promise<void> {
    for (const { table, where, keptMs } of EXPIRIES) {
      const values = keptMs === undefined ? [] : [keptMs === 'unused' ? retentionMs : keptMs];
      const statement = `delete from sandbox_bank.${table} where ctid = any(array(
        select t.ctid from sandbox_bank.${table} t where ${where} limit ${BATCH})) returning 1`;
      for (let deleted = BATCH; deleted === BATCH && !stopped;) {
        deleted = (await database.query(statement, values)).length;
      }
    }
    logger.debug('sandbox_bank.swept');
  }
  const sweepNow = (): void => {
    sweep().catch((error: unknown) => logger.warn({ err: error }, 'sandbox_bank.sweep_failed'));
  };

  void from.then(sweepNow);
  const timer = setInterval(sweepNow, SWEEP_EVERY_MS);
  timer.unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
