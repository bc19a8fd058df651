import type { StoredRow } from '../../domain/simplefin/present-row.js';
import type { Context } from '../context.js';
import { loadSql } from '../database/load-sql.js';

/** The rows of one account. Null days = no limit. */
export interface RowsQuery {
  linkPk: bigint;
  accountId: string;
  first: string | null;
  last: string | null;
  pending: boolean;
}

interface Row extends Omit<StoredRow, 'transactionId'> {
  transaction_id: string;
}

/** Rows of an account whose window has more are read in several statements. */
const PAGE = 2_000;

/** The stored data that the SimpleFIN server reads besides what other calls read. */
export class SimplefinRowRepository {
  constructor(private readonly ctx: Context) {}

  /** The current rows of an account, oldest first, in pages. */
  async *pages({
    linkPk,
    accountId,
    first,
    last,
    pending,
  }: RowsQuery): AsyncGenerator<StoredRow[]> {
    for (let end: Row | undefined; ;) {
      const { rows }: { rows: Row[] } = await this.ctx.database.pool.query<Row>({
        name: 'simplefin-rows',
        text: loadSql('simplefin-rows'),
        values: [
          linkPk,
          accountId,
          first,
          last,
          pending,
          end?.day ?? null,
          end?.transaction_id ?? null,
          PAGE,
        ],
      });
      yield rows.map(({ transaction_id: transactionId, ...row }) => ({ ...row, transactionId }));
      end = rows.at(-1);
      if (rows.length < PAGE) return;
    }
  }

  /** Maps the ids of institutions to their domains. Omits unknown ones. */
  async domains(institutionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.ctx.database.prisma.institution.findMany({
      where: { institutionId: { in: [...institutionIds] } },
      select: { institutionId: true, domain: true },
    });
    return new Map(
      found.flatMap(({ institutionId, domain }) =>
        domain === null ? [] : [[institutionId, domain]],
      ),
    );
  }
}
