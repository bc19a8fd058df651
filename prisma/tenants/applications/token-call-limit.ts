import type { Context } from '../../base/context.js';
import { sha256 } from '../../base/database/bytes.js';
import { loadSql } from '../../base/database/load-sql.js';

export interface CallRate {
  perSecond: number;
  burst: number;
}

/**
 * Limits the token calls of a client from one address, across all processes. Source: native-api 8.
 */
export class TokenCallLimit {
  constructor(private readonly ctx: Context) {}

  /** Takes one call. Returns 0, or the seconds to wait when none remains. */
  async take(clientId: string, address: string, { perSecond, burst }: CallRate): Promise<number> {
    const key = sha256(JSON.stringify([clientId, address]));
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<{ taken: boolean; calls: number }>({
      name: 'take-token-call',
      text: loadSql('take-token-call'),
      values: [key, perSecond, burst],
    });
    if (row === undefined) throw new Error('the token call statement returned no row');
    return row.taken ? 0 : (1 - row.calls) / perSecond;
  }
}

/**
 * For the sweeper: removes buckets idle for `idleMs`, which are full again. Returns the number
 * removed.
 */
export async function removeFullBuckets(
  { database }: Context,
  now: Date,
  idleMs: number,
): Promise<number> {
  const { count } = await database.prisma.tokenCallBucket.deleteMany({
    where: { filledAt: { lt: new Date(now.getTime() - idleMs) } },
  });
  return count;
}
