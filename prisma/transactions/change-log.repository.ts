import type { LogRow } from '../../domain/transactions/change-log-row.js';
import type { Context } from '../context.js';
import { loadSql } from '../database/load-sql.js';

export interface LogQuery {
  linkPk: bigint;
  /** A stream of one account's changes; null = of all. */
  accountId: string | null;
  /** Whose rows are served. */
  servedAccountIds: readonly string[];
  /** Where the stream began; 0 = at the beginning. */
  origin: bigint;
  /** Up to where its client knows everything. */
  base: bigint;
  after: bigint;
  /** Entries at most; each is at least one change for the client. */
  limit: number;
}

export interface LogPart {
  /** Where the stream ends now. */
  head: bigint;
  /** Up to which entry it was read; `head` when all of it was. */
  readTo: bigint;
  /** The transactions of the entries as they are now, each once. */
  rows: LogRow[];
}

/** A row as it is now: its public JSON (native-api 4.6), and its stage. */
export interface CurrentTransaction {
  body: string;
  bornPending: boolean;
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

/** The change log of a link by its entries, where the native sync reads it by pages (TransactionReader). Nothing is stored twice. */
export class ChangeLogRepository {
  constructor(private readonly ctx: Context) {}

  /** What changed after a position, as much as asked for. Null = there is no such link any more. */
  async read(query: LogQuery): Promise<LogPart | null> {
    const { linkPk, accountId, servedAccountIds, origin, base, after, limit } = query;
    const { rows } = await this.ctx.database.pool.query<LogPartRow>({
      name: 'change-log',
      text: loadSql('change-log'),
      values: [linkPk, accountId, servedAccountIds, origin, base, after, limit],
    });
    const [first] = rows;
    if (first === undefined) return null;
    const last = rows.at(-1)?.entry_seq ?? null;
    const head = BigInt(first.head);
    return {
      head,
      readTo: rows.length < limit || last === null ? head : BigInt(last),
      rows: [...new Map(rows.flatMap(toLogRow).map((row) => [row.seq, row])).values()],
    };
  }

  /** Position → the public JSON of the version that became current there. */
  async bodies(linkPk: bigint, positions: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
    if (positions.length === 0) return new Map();
    const { rows } = await this.ctx.database.pool.query<{ seq: string; body: string }>({
      name: 'version-bodies',
      text: loadSql('version-bodies'),
      values: [linkPk, positions],
    });
    return new Map(rows.map(({ seq, body }) => [BigInt(seq), body]));
  }

  /** `total` rows of the whole selection, and one page of them, newest first. */
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
    if (row === undefined) throw new Error('the list of transactions has no answer');
    return {
      total: row.total,
      transactions: row.rows.map(({ body, born_pending: bornPending, posted }) => ({
        body,
        bornPending,
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
      bornPending: row.born_pending,
      removed: row.removed,
      firstSeqAfterOrigin: BigInt(row.first_seq_after_origin),
    },
  ];
}
