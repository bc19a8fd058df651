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

  /** Those of the accounts whose holdings were listed, by their ids. */
  async listed(accountIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.ctx.database.prisma.holdingsAccount.findMany({
      where: { account: { accountId: { in: [...accountIds] } } },
      select: { account: { select: { accountId: true } } },
    });
    return new Set(found.map(({ account }) => account.accountId));
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
