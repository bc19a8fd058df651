import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database.js';

/** A transaction that writes events has been open for longer than a reader of the log waits. */
export class EventLogBusy extends Error {
  override readonly name = 'EventLogBusy';
}

/** Longer than any transaction that is not in trouble. */
const PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 5;
const WRITERS = `
  SELECT virtualtransaction FROM pg_locks
  WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND relation = 'webhook_events'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Up to which key the log is complete. Keys are given out before their transactions commit, so an event can appear
 * below one that is there already; a reader that tails the log would pass it by. Whoever was given a key still holds the
 * lock of the table: when nobody does who did at the time, everything up to that time is there.
 */
export class SettledEvents {
  private known: bigint | null = null;

  constructor(private readonly database: Database, private readonly patienceMs = PATIENCE_MS) {}

  /** @throws EventLogBusy */
  async upTo(): Promise<bigint> {
    const { pool } = this.database;
    const { rows: [sequence] } = await pool.query<{ given: string }>('SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS given FROM webhook_events_pk_seq');
    const given = BigInt(sequence?.given ?? 0);
    const giveUpAt = performance.now() + this.patienceMs;
    let { rows: writers } = await pool.query<{ virtualtransaction: string }>(WRITERS);
    while (writers.length > 0) {
      // What was complete once remains so.
      if (performance.now() > giveUpAt && this.known !== null) return this.known;
      if (performance.now() > giveUpAt) throw new EventLogBusy('a transaction that writes webhook events does not end');
      await pause(LOOK_AGAIN_MS);
      ({ rows: writers } = await pool.query<{ virtualtransaction: string }>(`${WRITERS} AND virtualtransaction = ANY($1)`, [writers.map(({ virtualtransaction }) => virtualtransaction)]));
    }
    if (this.known === null || given > this.known) this.known = given;
    return given;
  }
}
