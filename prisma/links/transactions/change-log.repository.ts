import type { LogRow } from '../../../domain/transactions/change-log-row.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';

export interface LogQuery {
  linkPk: bigint;
  /** Restricts the stream to one account; null = all. */
  accountId: string | null;
  /** The accounts whose rows are served. */
  servedAccountIds: readonly string[];
  /** The start of the stream; 0 = the beginning. */
  origin: bigint;
  /** The position up to which the client has read everything. */
  base: bigint;
  after: bigint;
  /** Every position of the cursor. */
  given: readonly bigint[];
  /** Maximum number of entries; each is at least one change for the client. */
  limit: number;
}

export interface LogPart {
  /** The current end of the stream. */
  head: bigint;
  /** A position of the cursor was issued after a backup that was restored. */
  isVoid: boolean;
  /** The position read up to; `head` when the end was reached. */
  readTo: bigint;
  /** The current state of the transactions in the entries, each once. */
  rows: LogRow[];
}

/** The current state of a transaction: its public JSON (native-api 4.6), and its stage. */
export interface CurrentTransaction {
  body: string;
  createdPending: boolean;
  posted: boolean;
}

export interface CurrentQuery {
  linkPk: bigint;
  accountIds: readonly string[];
  /** Days, inclusive, `YYYY-MM-DD`. */
  start: string;
  end: string;
  offset: number;
  size: number;
}

/** Numbers of type bigint arrive as text. */
interface LogPartRow {
  head: string;
  is_void: boolean;
  /** Null when nothing changed. */
  entry_seq: string | null;
  seq: string;
  transaction_id: string;
  account_id: string;
  first_seq: string;
  posted_seq: string | null;
  born_pending: boolean;
  removed: boolean;
  first_seq_after_origin: string;
}

/**
 * Reads the change log of a link entry by entry, whereas the native sync reads pages
 * (TransactionReader). Both read the same rows.
 */
export class ChangeLogRepository {
  constructor(private readonly ctx: Context) {}

  /** The changes after a position, up to the limit. Null = the link no longer exists. */
  async read(query: LogQuery): Promise<LogPart | null> {
    const { linkPk, accountId, servedAccountIds, origin, base, after, limit, given } = query;
    const { rows } = await this.ctx.database.pool.query<LogPartRow>({
      name: 'change-log',
      text: loadSql('change-log'),
      values: [linkPk, accountId, servedAccountIds, origin, base, after, limit, given],
    });
    const [first] = rows;
    if (first === undefined) return null;
    const last = rows.at(-1)?.entry_seq ?? null;
    const head = BigInt(first.head);
    return {
      head,
      isVoid: first.is_void,
      readTo: rows.length < limit || last === null ? head : BigInt(last),
      rows: [...new Map(rows.flatMap(toLogRow).map((row) => [row.seq, row])).values()],
    };
  }

  /** Maps positions to the public JSON of the version that became current there. */
  async bodies(linkPk: bigint, positions: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
    if (positions.length === 0) return new Map();
    const { rows } = await this.ctx.database.pool.query<{ seq: string; body: string }>({
      name: 'version-bodies',
      text: loadSql('version-bodies'),
      values: [linkPk, positions],
    });
    return new Map(rows.map(({ seq, body }) => [BigInt(seq), body]));
  }

  /** The total number of matching rows, and one page of them, newest first. */
  async current({
    linkPk,
    accountIds,
    start,
    end,
    offset,
    size,
  }: CurrentQuery): Promise<{ total: number; transactions: CurrentTransaction[] }> {
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<{
      total: number;
      rows: { body: string; born_pending: boolean; posted: boolean }[];
    }>({
      name: 'current-transactions',
      text: loadSql('current-transactions'),
      values: [linkPk, accountIds, start, end, offset, size],
    });
    if (row === undefined) throw new Error('the transaction list statement returned no row');
    return {
      total: row.total,
      transactions: row.rows.map(({ body, born_pending: createdPending, posted }) => ({
        body,
        createdPending,
        posted,
      })),
    };
  }
}

function toLogRow(row: LogPartRow): LogRow[] {
  if (row.entry_seq === null) return [];
  return [
    {
      transactionId: row.transaction_id,
      accountId: row.account_id,
      firstSeq: BigInt(row.first_seq),
      postedSeq: row.posted_seq === null ? null : BigInt(row.posted_seq),
      seq: BigInt(row.seq),
      createdPending: row.born_pending,
      removed: row.removed,
      firstSeqAfterOrigin: BigInt(row.first_seq_after_origin),
    },
  ];
}
