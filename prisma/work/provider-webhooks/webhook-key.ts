import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';

const KEY_BYTES = 32;
/** Used for the comparison when there is no key, so that every response takes the same time. */
const NO_KEY = Buffer.alloc(32);

/**
 * Creates the key in the address of a configuration's provider webhooks,
 * `/provider-webhooks/<name>/<key>`, and replaces an earlier one. Only its hash is stored, so it is
 * shown once. Null if the configuration is unknown.
 */
export async function makeWebhookKey(ctx: Context, name: string): Promise<string | null> {
  const key = Buffer.from(ctx.random(KEY_BYTES)).toString('base64url');
  const { count } = await ctx.database.prisma.providerConfiguration.updateMany({
    where: { name },
    data: { webhookKeyHash: bytesColumn(sha256(key)) },
  });
  return count === 0 ? null : key;
}

/** Compares in constant time, even when there is no key. */
export function isWebhookKey(key: string, hash: Uint8Array | null): boolean {
  return timingSafeEqual(sha256(key), hash ?? NO_KEY) && hash !== null;
}
