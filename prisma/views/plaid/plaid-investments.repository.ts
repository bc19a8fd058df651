import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { CurrentQuery } from '../../links/transactions/change-log.repository.js';

/** A page of investment transactions, with the public JSON of each row and of their securities. */
export interface CurrentTrades {
  /** In the whole selection. */
  total: number;
  trades: string[];
  securities: string[];
}

/** Reads investments as only the Plaid-compatible API shows them. Source: plaid-compat 6.9, 6.10. */
export class PlaidInvestmentsRepository {
  constructor(private readonly ctx: Context) {}

  /** The ids of the open, permitted accounts of a link that hold anything now. */
  async accountsWithHoldings(linkPk: bigint): Promise<ReadonlySet<string>> {
    const { rows } = await this.ctx.database.pool.query<{ account_id: string }>({
      name: 'accounts-with-holdings',
      text: loadSql('accounts-with-holdings'),
      values: [linkPk],
    });
    return new Set(rows.map(({ account_id: accountId }) => accountId));
  }

  /** The total number of matching rows, and one page of them, newest first. */
  async currentTrades({
    linkPk,
    accountIds,
    start,
    end,
    offset,
    size,
  }: CurrentQuery): Promise<CurrentTrades> {
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<CurrentTrades>({
      name: 'current-trades',
      text: loadSql('current-trades'),
      values: [linkPk, accountIds, start, end, offset, size],
    });
    if (row === undefined) throw new Error('the list of investment transactions returned no row');
    return row;
  }
}
