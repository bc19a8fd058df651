import { sha256 } from '../../base/database/bytes.js';

/** First half of the advisory locks that transactions hold, shared, while they write webhook events. */
export const EVENT_WRITERS = 20261124;

/**
 * The second half. Two tenants whose keys collide wait for each other's events to commit, which has
 * no other consequences.
 */
export function writerKey({ appId, environment }: { appId: string; environment: string }): number {
  return sha256(JSON.stringify([appId, environment])).readInt32BE(0);
}
