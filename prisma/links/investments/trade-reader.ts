import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import {
  toListPage,
  toSyncRead,
  type ListPage,
  type ListQuery,
  type ListRow,
  type SyncQuery,
  type SyncRead,
  type SyncRow,
} from '../transactions/transaction-reader.js';

/** A page with the public JSON of the securities of its rows. */
export type WithSecurities<Page> = Page & { securities: string[] };

/** Of a statement that reads a page. */
interface WithSecurityIds {
  /** Null = none. */
  security_ids: string[] | null;
}

/** Reads a link's investment transactions in two views: the changes since a cursor, and the current rows. */
export class TradeReader {
  constructor(private readonly ctx: Context) {}

  /** One page of a walk (native-api 3.14). Null = the caller has no such link. */
  async syncPage(query: SyncQuery): Promise<WithSecurities<SyncRead> | null> {
    const { tenant, linkId, cursor, size } = query;
    const { floor, position, highWater } = cursor;
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<SyncRow & WithSecurityIds & { investment_seq: string }>({
      name: 'trade-sync-page',
      text: loadSql('trade-sync-page'),
      values: [linkId, tenant.appId, tenant.environment, floor, position, highWater, size],
    });
    if (row === undefined) return null;
    const read = toSyncRead(this.ctx, query, row, row.investment_seq);
    if (read === null) return null;
    return { ...read, securities: read.page === null ? [] : await this.securitiesOf(row) };
  }

  /** One page of the current rows, excluding removed ones but including those of closed accounts. */
  async listPage(query: ListQuery): Promise<WithSecurities<ListPage>> {
    const { linkPk, accountIds, start, end, page, size } = query;
    const skip = (BigInt(page) - 1n) * BigInt(size);
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<ListRow & WithSecurityIds>({
      name: 'trade-list',
      text: loadSql('trade-list'),
      values: [linkPk, accountIds ?? null, start, end, size, skip],
    });
    if (row === undefined) throw new Error('the investment transaction list returned no row');
    return { ...toListPage(row), securities: await this.securitiesOf(row) };
  }

  private async securitiesOf({ security_ids: ids }: WithSecurityIds): Promise<string[]> {
    if (ids === null) return [];
    const { rows } = await this.ctx.database.pool.query<{ body: string }>({
      name: 'security-bodies',
      text: loadSql('security-bodies'),
      values: [ids],
    });
    return rows.map(({ body }) => body);
  }
}
