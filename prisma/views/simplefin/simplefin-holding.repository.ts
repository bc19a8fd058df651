import type { StoredHolding } from '../../../domain/simplefin/present-holding.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';

interface Row {
  place: number;
  holding_id: string;
  first_seen: string;
  value: string | null;
  cost_basis: string | null;
  body: string;
  security: string;
}

/** Holdings of an account that has more are read in several statements. */
const PAGE = 500;

/** The stored holdings that the SimpleFIN server reads. */
export class SimplefinHoldingRepository {
  constructor(private readonly ctx: Context) {}

  /** The days of the lists of holdings, by account id. Omits accounts without one. */
  async days(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.ctx.database.prisma.holdingsAccount.findMany({
      where: { account: { accountId: { in: [...accountIds] } } },
      select: { asOf: true, account: { select: { accountId: true } } },
    });
    return new Map(
      found.map(({ account, asOf }) => [account.accountId, asOf.toISOString().slice(0, 10)]),
    );
  }

  /** The current holdings of an account, in pages. */
  async *pages(linkPk: bigint, accountId: string): AsyncGenerator<StoredHolding[]> {
    for (let end: Row | undefined; ;) {
      const { rows }: { rows: Row[] } = await this.ctx.database.pool.query<Row>({
        name: 'simplefin-holdings',
        text: loadSql('simplefin-holdings'),
        values: [linkPk, accountId, end?.place ?? null, PAGE],
      });
      yield rows.map(({ holding_id: holdingId, first_seen: firstSeen, value, ...row }) => ({
        holdingId,
        firstSeen,
        value,
        costBasis: row.cost_basis,
        body: row.body,
        security: row.security,
      }));
      end = rows.at(-1);
      if (rows.length < PAGE) return;
    }
  }
}
