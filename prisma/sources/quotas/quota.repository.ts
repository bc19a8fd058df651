import { createHash } from 'node:crypto';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { inPoolTransaction } from '../../base/database/pool-transaction.js';

/** One call that a source counts. */
export interface QuotaCall {
  provider: string;
  quota: string;
  /** The permission or account whose quota it uses; empty = the configuration. */
  subject: string;
  limit: number;
  /** The calls of the limit that this call must leave available. */
  reserve: number;
  windowSeconds: number;
}

/** `waitMs`: the time until there is room again, if the call was not taken. */
export interface TakenCall {
  taken: boolean;
  waitMs: number;
}

export interface QuotaUsage {
  provider: string;
  quota: string;
  limit: number;
  /** Permissions or accounts with calls that count; 1 for a quota of the whole configuration. */
  subjects: number;
  /** The number of them without remaining calls. */
  usedUp: number;
  /** The lowest number of calls that remains to one of them. */
  leastLeft: number;
  /** The time at which the first of these calls no longer counts. */
  freesAt: Date;
}

/**
 * The number of parts in which a window is counted: a call counts for one part longer than the
 * window.
 */
const PARTS = 1_440;

/**
 * The calls counted toward the quotas of sources, by all processes together.
 * docs/decisions/live/0031.
 */
export class QuotaRepository {
  constructor(private readonly ctx: Pick<Context, 'database' | 'clock'>) {}

  /** Takes one call, or returns the time until there is room for it. */
  async take(call: QuotaCall): Promise<TakenCall> {
    const { provider, quota, subject, limit, reserve, windowSeconds } = call;
    const windowMs = windowSeconds * 1_000;
    return inPoolTransaction(
      this.ctx.database.pool,
      async (client) => {
        const { rows } = await client.query<{ taken: boolean; left: number; wait_ms: number }>({
          name: 'take-quota',
          text: loadSql('take-quota'),
          values: [
            provider,
            quota,
            subject,
            limit,
            limit - reserve,
            windowMs,
            Math.ceil(windowMs / PARTS),
          ],
        });
        const [row] = rows;
        if (row === undefined) throw new Error('the quota statement returned no row');
        return { taken: row.taken, waitMs: row.taken ? 0 : row.wait_ms };
      },
      // The lock number is computed here, so that the lock needs no round trip of its own.
      `BEGIN; SELECT pg_advisory_xact_lock(${lockOf(call)})`,
    );
  }

  /** The current use, by provider and quota. `provider`: limits it to one provider. */
  async usage(provider: string | null = null): Promise<QuotaUsage[]> {
    const { rows } = await this.ctx.database.pool.query<{
      provider: string;
      quota: string;
      limit: number;
      subjects: number;
      used_up: number;
      least_left: number;
      frees_at: Date;
    }>({
      name: 'quota-usage',
      text: loadSql('quota-usage'),
      values: [this.ctx.clock(), provider],
    });
    return rows.map(({ used_up: usedUp, least_left: leastLeft, frees_at: freesAt, ...row }) => ({
      ...row,
      usedUp,
      leastLeft,
      freesAt,
    }));
  }

  /** Whether a provider of this name has a configuration or serves an institution. */
  async isProvider(name: string): Promise<boolean> {
    const { prisma } = this.ctx.database;
    return (
      (await prisma.providerConfiguration.count({ where: { name } })) > 0 ||
      (await prisma.institutionRoute.count({ where: { provider: name } })) > 0
    );
  }

  /** For the sweeper: removes calls that no longer count. Returns the number of rows. */
  async removeEnded(now: Date, limit: number): Promise<number> {
    const { rowCount } = await this.ctx.database.pool.query(
      `DELETE FROM quota_windows WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM quota_windows WHERE ends_at <= $1::timestamptz ORDER BY ends_at LIMIT $2::int FOR UPDATE SKIP LOCKED))`,
      [now, limit],
    );
    return rowCount ?? 0;
  }
}

function lockOf({ provider, quota, subject }: QuotaCall): bigint {
  return createHash('sha256')
    .update(JSON.stringify([provider, quota, subject]))
    .digest()
    .readBigInt64BE(0);
}
