import type { Tenant } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';

export interface LiabilityPageQuery {
  /** Missing = all; unknown ids are ignored. */
  accountIds?: readonly string[] | undefined;
  /** The place of the debt to continue after; missing = the first page. */
  after?: bigint;
  limit: number;
}

export interface LiabilityPage {
  /** Each the public JSON of a debt, in the order in which their accounts were first stored. */
  bodies: string[];
  /** The place to continue after; null = these are the last ones. */
  next: bigint | null;
}

/** The debts of open, permitted accounts. */
export class LiabilityRepository {
  constructor(private readonly ctx: Context) {}

  async list(
    { appId, environment }: Tenant,
    linkId: string,
    { accountIds, after = 0n, limit }: LiabilityPageQuery,
  ): Promise<LiabilityPage> {
    const { rows } = await this.ctx.database.pool.query<{ pk: string; body: string }>({
      name: 'find-liabilities',
      text: loadSql('find-liabilities'),
      values: [appId, environment, linkId, accountIds ?? null, after, limit + 1],
    });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      bodies: shown.map(({ body }) => body),
      next: last === undefined ? null : BigInt(last.pk),
    };
  }
}
