import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Tenant } from '../../../domain/api/environment.js';
import type { Database } from '../../base/database/database.js';
import { EVENT_WRITERS, writerKey } from '../events/event-writers.js';

/**
 * A transaction that writes events of this tenant has been open for longer than a reader of the log
 * waits.
 */
export class EventLogBusy extends Error {
  override readonly name = 'EventLogBusy';
}

/** The newest key that was assigned to an event of any app; its transaction may still be open. */
export async function lastEventKey(pool: Pick<pg.Pool, 'query'>): Promise<bigint> {
  const {
    rows: [sequence],
  } = await pool.query<{ given: string }>(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS given FROM webhook_events_pk_seq',
  );
  return BigInt(sequence?.given ?? 0);
}

/** Longer than any healthy transaction. */
const PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 5;
/** The two halves of an advisory lock key are unsigned in pg_locks. */
const WRITERS = `
  SELECT virtualtransaction FROM pg_locks
  WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND objsubid = 2
    AND classid = ($1::bigint & 4294967295)::oid AND objid = ($2::bigint & 4294967295)::oid
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Returns the key up to which the log of a tenant is complete. Keys are assigned before their
 * transactions commit, so an event can appear below an existing one, and a reader that tails the
 * log would skip it. A transaction holds the lock of its tenant from before it gets a key until its
 * events are visible: once every transaction that held it at a time has released it, all events of
 * the tenant up to that time are visible.
 */
export class SettledEvents {
  private readonly known = new Map<number, bigint>();

  constructor(
    private readonly database: Database,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** @throws EventLogBusy */
  async upTo(tenant: Tenant): Promise<bigint> {
    const { pool } = this.database;
    const key = writerKey(tenant);
    const given = await lastEventKey(pool);
    const giveUpAt = performance.now() + this.patienceMs;
    let { rows: writers } = await pool.query<{ virtualtransaction: string }>(WRITERS, [
      EVENT_WRITERS,
      key,
    ]);
    while (writers.length > 0) {
      if (performance.now() > giveUpAt) return this.lastKnown(key);
      await pause(LOOK_AGAIN_MS);
      ({ rows: writers } = await pool.query<{ virtualtransaction: string }>(
        `${WRITERS} AND virtualtransaction = ANY($3)`,
        [EVENT_WRITERS, key, writers.map(({ virtualtransaction }) => virtualtransaction)],
      ));
    }
    if (given > (this.known.get(key) ?? -1n)) this.known.set(key, given);
    return given;
  }

  /** A part of the log that was once complete stays complete. @throws EventLogBusy */
  private lastKnown(key: number): bigint {
    const known = this.known.get(key);
    if (known === undefined)
      throw new EventLogBusy('a transaction that writes webhook events does not end');
    return known;
  }
}
