import type { AccountRequest } from '../../../domain/simplefin/account-request.js';
import type { StoredRow } from '../../../domain/simplefin/present-row.js';
import { MAX_SHARED, type SharedCounts } from '../../../domain/simplefin/response-bounds.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { SimplefinAccess } from './simplefin-token.repository.js';

/** The rows of one account. Null days = no limit. */
export interface RowsQuery {
  linkPk: bigint;
  accountId: string;
  /** Of the account. */
  currency: string;
  first: string | null;
  last: string | null;
  pending: boolean;
}

interface Row extends Omit<StoredRow, 'transactionId' | 'originalAmount'> {
  transaction_id: string;
  original_amount: string | null;
}

/** Rows of an account whose window has more are read in several statements. */
const PAGE = 500;

/** The stored data that the SimpleFIN server reads besides what other calls read. */
export class SimplefinRowRepository {
  constructor(private readonly ctx: Context) {}

  /** The current rows of an account, oldest first, in pages. */
  async *pages({
    linkPk,
    accountId,
    currency,
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
          currency,
        ],
      });
      yield rows.map(
        ({ transaction_id: transactionId, original_amount: originalAmount, ...row }) => ({
          ...row,
          transactionId,
          originalAmount,
        }),
      );
      end = rows.at(-1);
      if (rows.length < PAGE) return;
    }
  }

  /** Counts what a response would show, no further than one beyond each bound. */
  async count(
    { appId, environment, userId }: SimplefinAccess,
    { accounts, first, last, balancesOnly }: AccountRequest,
    defaultDays: number,
  ): Promise<SharedCounts> {
    const {
      rows: [counts],
    } = await this.ctx.database.pool.query<SharedCounts>({
      // Unnamed: its plan depends on which values are null.
      text: loadSql('count-shared'),
      values: [
        userId,
        appId,
        environment,
        accounts.size === 0 ? null : [...accounts],
        first,
        last,
        defaultDays,
        !balancesOnly,
        this.ctx.clock(),
        MAX_SHARED.links,
        MAX_SHARED.accounts,
        MAX_SHARED.rows,
        MAX_SHARED.holdings,
      ],
    });
    if (counts === undefined) throw new Error('the statement that counts returned no row');
    return counts;
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
