import type { Context } from '../../base/context.js';
import { currentMarks, untilRenewed } from '../../base/database/confirmed-notifications.js';
import type { Channel } from '../../base/database/notifications.js';
import type { Tx } from '../../base/database/tx.js';

/** Notified when a key pair changes in a way that its tokens show. */
export const CLIENT_CHANGED: Channel = 'client_changed';
/** The time for which a process that cannot be notified may keep using a cached token. */
export const TOKEN_CACHE_MS = 2_000;

/**
 * Changes a key pair. When it returns, every process applies the change to the tokens of the pair
 * (docs/decisions/0022).
 */
export async function changeClient<T>(
  ctx: Context,
  clientId: string,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  let marks: number[] = [];
  const changed = await ctx.database.transaction(async (tx) => {
    marks = await currentMarks(tx);
    const result = await change(tx);
    // Sent inside the transaction, unlike other notifications (docs/decisions/0015), because it
    // must not be lost.
    await tx.$executeRaw`SELECT pg_notify(${CLIENT_CHANGED} || '_' || suffix, ${clientId}) FROM notification_channels`;
    return result;
  });
  await untilRenewed(ctx.database.pool, marks, TOKEN_CACHE_MS);
  return changed;
}
