import type { Tx } from '../database.js';

/** Channels a process listens on. A notification is only a hint to look: the rows are the truth, and a poll stands behind each. */
export type Channel = 'link_session' | 'outbox' | 'webhook_delivery';

/** Delivered when the transaction commits. */
export async function notify(tx: Tx, channel: Channel, payload = ''): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${channel}, ${payload})`;
}
