import type pg from 'pg';
import { inPoolTransaction } from './pool-transaction.js';
import type { Channel } from './notifications.js';

/**
 * A listener holds the lock of a channel, shared with the others, and lets go of it once it has handled a notification.
 * So the sender that gets it alone knows that all have. docs/decisions/0021.
 */
const lockOf = (channel: Channel): string => `hashtextextended('${channel}', 0)`;

export const hold = (channel: Channel): string => `SELECT pg_advisory_lock_shared(${lockOf(channel)})`;

/** One message; behind a sender who waits, the lock is held again when that one has had it. */
export const confirm = (channel: Channel): string =>
  `SELECT pg_advisory_unlock_shared(${lockOf(channel)}); ${hold(channel)}`;

/** Resolves when every listener has handled what was committed, or when `withinMs` have passed. */
export async function untilConfirmed(pool: pg.Pool, channel: Channel, withinMs: number): Promise<void> {
  await inPoolTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = ${withinMs}`);
    await client.query(`SELECT pg_advisory_xact_lock(${lockOf(channel)})`);
  }).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
