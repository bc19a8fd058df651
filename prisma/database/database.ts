import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/client.js';
import { isDatabaseUnreachable, isWorthRetrying } from './database-failures.js';
import { collectNotifications, Notifier } from './notifications.js';
import { SharedPool } from './shared-pool.js';
import { nameStatements } from './statement-names.js';
import type { Tx } from './tx.js';

/** PostgreSQL as this process sees it: one pool, shared by Prisma and the hand-written statements. */
export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /**
   * A second, small pool for the statements that are made all day on tables that fill and empty again. They read by index
   * whatever the statistics say: a plan made while the table was empty would read all of it later, for as long as the
   * connection lives. Their commits do not wait for the disk, so only what may be done twice is done here.
   */
  readonly hot: pg.Pool;
  /**
   * Runs `work` in one READ COMMITTED transaction. A serialization failure, a deadlock, or a connection that was lost
   * before the commit began runs it again, at most three times in all: `work` must have no effect outside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Sends what transactions told by `notify`; those of `transaction` need not call it. */
  readonly notifier: Notifier;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  maxConnections?: number;
  /** How many of them one owner of work may have at once; without it, all (shared-pool.ts). */
  connectionsPerOwner?: number;
  /** Told of errors of idle connections, which no caller would hear of. */
  onError: (error: Error) => void;
}

/** Nothing may wait on the database for longer than this (docs/architecture.md, "Faults"). Milliseconds. */
const TIMEOUTS = {
  connect: 5_000,
  query: 15_000,
  statement: 12_000,
  lock: 8_000,
  idleInTransaction: 15_000,
  transaction: 14_000,
};
/** A new connection costs tens of milliseconds of processor time, and those used least are missed when there is most to do. */
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
  onError,
}: DatabaseOptions): Database {
  const open = (max: number, options: readonly string[], perOwner = max): pg.Pool => {
    const config: pg.PoolConfig = {
      connectionString: url,
      application_name: name,
      max,
      connectionTimeoutMillis: TIMEOUTS.connect,
      query_timeout: TIMEOUTS.query,
      statement_timeout: TIMEOUTS.statement,
      lock_timeout: TIMEOUTS.lock,
      idle_in_transaction_session_timeout: TIMEOUTS.idleInTransaction,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      // Said once for each connection instead of once for each transaction.
      options: ['default_transaction_isolation=read\\ committed', ...options]
        .map((option) => `-c ${option}`)
        .join(' '),
    };
    const opened = perOwner < max ? new SharedPool(config, perOwner) : new pg.Pool(config);
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
    transactionOptions: { maxWait: TIMEOUTS.connect, timeout: TIMEOUTS.transaction },
  });

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      let committing = false;
      try {
        const { result, told } = await prisma.$transaction(async (tx) => {
          const notifications = collectNotifications(tx);
          const worked = await work(tx);
          committing = true;
          return { result: worked, told: notifications };
        });
        notifier.send(told);
        return result;
      } catch (error) {
        // A connection lost during COMMIT leaves the outcome open: doing it again could do it twice.
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
    close: async () => {
      await notifier.settled();
      await prisma.$disconnect();
      await Promise.all([pool.end(), hot.end()]);
    },
  };
}
