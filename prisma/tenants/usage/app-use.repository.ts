import type { Environment, Tenant } from '../../../domain/api/environment.js';
import {
  APP_BOUNDS,
  BOUND_NAMES,
  countedOn,
  type BoundName,
} from '../../../domain/limits/app-bounds.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { inPoolTransaction } from '../../base/database/pool-transaction.js';
import { lockOfApp } from './app-lock.js';
import { refuseExceeded, takeValues, toMap, type Amounts, type ExceededRow } from './app-use.js';

/** An app's use of one bound. */
export interface BoundUse extends Tenant {
  bound: BoundName;
  used: number;
  max: number;
  /** The limit is the app's own. */
  isOwn: boolean;
}

/** The use and the individual limits of apps. docs/decisions/operating/0050. */
export class AppUseRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Counts a call now, in its own transaction, if the app also has room for `needed`.
   * @throws BoundReached, and counts nothing
   */
  async take(tenant: Tenant, amounts: Amounts, needed: Amounts = {}): Promise<void> {
    const { database, clock } = this.ctx;
    await inPoolTransaction(
      database.pool,
      async (client) => {
        const { rows } = await client.query<ExceededRow>({
          name: 'take-room',
          text: loadSql('take-room'),
          values: this.values(tenant, { taken: toMap(amounts), needed: toMap(needed) }, true),
        });
        refuseExceeded(rows, clock());
      },
      // The lock number is computed here, so that the lock needs no round trip of its own.
      `BEGIN; SELECT pg_advisory_xact_lock(${lockOfApp(tenant)})`,
    );
  }

  /** Returns amounts of daily bounds that `take` counted today. */
  async release({ appId, environment, share }: Tenant, amounts: Amounts): Promise<void> {
    const taken = [...toMap(amounts)];
    await this.ctx.database.pool.query({
      name: 'add-use',
      text: loadSql('add-use'),
      values: [
        appId,
        environment,
        1,
        taken.map(([bound]) => bound),
        taken.map(([bound]) => countedOn(bound, this.ctx.clock())),
        taken.map(([, amount]) => -amount),
        share?.clientId ?? '',
      ],
    });
  }

  /** An app's current use of every bound, in both environments. */
  async ofApp(appId: string): Promise<BoundUse[]> {
    return this.readUses(
      `SELECT use.* FROM uses AS use WHERE app_id = $4 ORDER BY environment DESC, array_position($1::text[], bound)`,
      [appId],
    );
  }

  /** The uses nearest to their bounds, or furthest beyond them, nearest first. */
  async nearest(limit: number): Promise<BoundUse[]> {
    return this.readUses(
      `SELECT use.* FROM uses AS use WHERE used > 0
        ORDER BY used / greatest(max, 1) DESC, app_id, environment, bound LIMIT $4::int`,
      [limit],
    );
  }

  /** Sets an individual limit for an app; null = the setting applies again. */
  async setLimit(
    { appId, environment }: Tenant,
    bound: BoundName,
    max: number | null,
  ): Promise<void> {
    const { prisma } = this.ctx.database;
    const where = { appId, environment, bound };
    if (max === null) {
      await prisma.appLimit.deleteMany({ where });
      return;
    }
    await prisma.appLimit.upsert({
      where: { appId_environment_bound: where },
      create: { ...where, max: BigInt(max), createdAt: this.ctx.clock() },
      update: { max: BigInt(max) },
    });
  }

  /** For the sweeper: removes counts of days before `before`. Returns the number of rows. */
  async removeOld(before: Date): Promise<number> {
    const { count } = await this.ctx.database.prisma.appUse.deleteMany({
      where: { bound: { notIn: HELD }, day: { lt: before } },
    });
    return count;
  }

  private async readUses(select: string, values: unknown[]): Promise<BoundUse[]> {
    const now = this.ctx.clock();
    const { rows } = await this.ctx.database.pool.query<{
      app_id: string;
      environment: Environment;
      bound: BoundName;
      used: string;
      max: string;
      is_own: boolean;
    }>(`${USES} ${select}`, [
      BOUND_NAMES,
      BOUND_NAMES.map((bound) => countedOn(bound, now)),
      BOUND_NAMES.map((bound) => this.ctx.bounds[bound]),
      ...values,
    ]);
    return rows.map(({ app_id: appId, is_own: isOwn, used, max, ...row }) => ({
      ...row,
      appId,
      isOwn,
      used: Math.max(0, Number(used)),
      max: Number(max),
    }));
  }

  /** pg has no arrays of `bigint`. */
  private values(...asked: [Tenant, Parameters<typeof takeValues>[2], boolean]): unknown[] {
    return takeValues(this.ctx, ...asked).map((value) =>
      Array.isArray(value) ? value.map(String) : value,
    );
  }
}

const HELD = BOUND_NAMES.filter((bound) => APP_BOUNDS[bound].kind === 'held');

/** Every app, environment and bound. $1 bounds, $2 their days, $3 the limits of an app without its own. */
const USES = `
  WITH uses AS (
    SELECT tenant.app_id, tenant.environment, asked.bound, coalesce(counted.used, 0) AS used,
           coalesce(own.most, asked.usual)::numeric AS max, own.most IS NOT NULL AS is_own
      FROM (SELECT DISTINCT app_id, environment FROM api_clients) AS tenant
     CROSS JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS asked(bound, day, usual)
      LEFT JOIN (SELECT app_id, environment, bound, day, sum(used) AS used FROM app_use GROUP BY 1, 2, 3, 4) AS counted
        ON counted.app_id = tenant.app_id AND counted.environment = tenant.environment AND counted.bound = asked.bound
       AND counted.day = asked.day::date
      LEFT JOIN app_limits own
        ON own.app_id = tenant.app_id AND own.environment = tenant.environment AND own.bound = asked.bound
  )`;
