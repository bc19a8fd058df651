import type pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../generated/client.js';
import { collectLateWork } from './before-commit.js';
import { ConnectionGuard } from './connection-guard.js';
import { isDatabaseUnreachable, isWorthRetrying } from './database-failures.js';
import { readSslMode } from './explain-connection.js';
import { GuardedPool, type GuardedPoolOptions } from './guarded-pool.js';
import { collectNotifications, Notifier } from './notifications.js';
import { SharedPool } from './shared-pool.js';
import { nameStatements } from './statement-names.js';
import type { Tx } from './tx.js';

/** PostgreSQL for one process: a single pool, shared by Prisma and hand-written statements. */
export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /**
   * A second, small pool for frequent statements on tables that fill and empty again. It always
   * plans index scans: a plan created while a table was empty would scan all of it later, for the
   * lifetime of the connection. Commits do not wait for the disk, so use it only for work that may
   * safely be repeated.
   */
  readonly hot: pg.Pool;
  /**
   * Runs `work` in one READ COMMITTED transaction. Retries after a serialization failure, a
   * deadlock, or a connection lost before the commit started, up to three attempts in total: `work`
   * must have no effect outside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Sends notifications; `transaction` does this for those queued with `notify`. */
  readonly notifier: Notifier;
  /** @throws when the database does not respond */
  ping(): Promise<void>;
  /**
   * Checks whether this is the database that the service wrote to. If it is not, the pool lends no
   * connection until a later call finds that `operator recover` has adopted it.
   * @throws ForeignDatabase
   */
  checkIdentity(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  maxConnections?: number;
  /**
   * The number of connections one owner may use at once; all of them if omitted (shared-pool.ts).
   */
  connectionsPerOwner?: number;
  /** Also works on a database that was restored or failed over: only for `operator recover`. */
  anyIdentity?: boolean;
  /** In place of the usual limits, which a slow computer may exceed in tests. */
  timeouts?: Partial<DatabaseTimeouts>;
  /** Called with errors of idle connections, which have no caller. */
  onError: (error: Error) => void;
}

/** Upper bounds on every wait for the database (docs/architecture.md, "Faults"). Milliseconds. */
const TIMEOUTS = {
  connect: 5_000,
  /** Of an owner's further work for one of its connections. Less than `connect`, so that the error names the real cause. */
  turn: 4_000,
  query: 15_000,
  statement: 12_000,
  lock: 8_000,
  idleInTransaction: 15_000,
  transaction: 14_000,
};
export type DatabaseTimeouts = typeof TIMEOUTS;
/**
 * Opening a connection costs tens of milliseconds of CPU, and idle ones are needed most when load
 * rises.
 */
const IDLE_MS = 300_000;
const ATTEMPTS = 3;
const HOT = {
  maxConnections: 4,
  options: [
    'plan_cache_mode=force_generic_plan',
    'enable_seqscan=off',
    'enable_bitmapscan=off',
    'jit=off',
    'synchronous_commit=off',
  ],
};

export function openDatabase({
  url,
  name,
  maxConnections = 10,
  connectionsPerOwner,
  anyIdentity = false,
  timeouts: changed,
  onError,
}: DatabaseOptions): Database {
  const timeouts = { ...TIMEOUTS, ...changed };
  const guard = new ConnectionGuard(anyIdentity);
  const address = readSslMode(url);
  const open = (max: number, options: readonly string[], perOwner = max): GuardedPool => {
    const config: GuardedPoolOptions = {
      guard,
      sslmode: address.sslmode,
      connectionString: address.url,
      application_name: name,
      max,
      connectionTimeoutMillis: timeouts.connect,
      query_timeout: timeouts.query,
      statement_timeout: timeouts.statement,
      lock_timeout: timeouts.lock,
      idle_in_transaction_session_timeout: timeouts.idleInTransaction,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      // Set once per connection instead of once per transaction.
      options: ['default_transaction_isolation=read\\ committed', ...options]
        .map((option) => `-c ${option}`)
        .join(' '),
    };
    const opened =
      perOwner < max
        ? new SharedPool(config, { perOwner, waitMs: timeouts.turn })
        : new GuardedPool(config);
    opened.on('error', onError);
    opened.on('connect', (client) => client.on('error', onError));
    return opened;
  };
  const pool = open(maxConnections, [], connectionsPerOwner);
  const hot = open(HOT.maxConnections, HOT.options);
  const notifier = new Notifier(hot, onError);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, {
      onPoolError: onError,
      onConnectionError: onError,
      statementNameGenerator: nameStatements(),
    }),
    transactionOptions: { maxWait: timeouts.connect, timeout: timeouts.transaction },
  });

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      let committing = false;
      try {
        const { result, queued } = await prisma.$transaction(async (tx) => {
          const notifications = collectNotifications(tx);
          const late = collectLateWork(tx);
          const worked = await work(tx);
          for (const lateWork of late) await lateWork();
          committing = true;
          return { result: worked, queued: notifications };
        });
        notifier.send(queued);
        return result;
      } catch (error) {
        // A connection lost during COMMIT leaves the outcome unknown: a retry could apply the work
        // twice.
        const again = isWorthRetrying(error) || (!committing && isDatabaseUnreachable(error));
        if (!again || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  return {
    prisma,
    pool,
    hot,
    notifier,
    transaction,
    ping: async () => {
      await pool.query('select 1');
    },
    checkIdentity: () => hot.examine(),
    close: async () => {
      await notifier.settled();
      await prisma.$disconnect();
      await Promise.all([pool.end(), hot.end()]);
    },
  };
}
