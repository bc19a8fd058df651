import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';

/** The stored rates of debts, by institution. */
export class LiabilityRateRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * The names of the institutions of a configuration whose rates all lie between 0 and 1, as those
   * of one that writes fractions do.
   */
  async institutionsWithSmallRates(provider: string): Promise<string[]> {
    const { rows } = await this.ctx.database.pool.query<{ name: string }>(
      loadSql('institutions-with-small-rates'),
      [provider],
    );
    return rows.map(({ name }) => name);
  }
}
