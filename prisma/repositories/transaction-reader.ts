import type { SyncCursor } from '../../domain/sync-cursor.js';
import type { Context } from '../context.js';
import { loadSql } from '../sql/load-sql.js';

export interface SyncPage {
  /** Public JSON of each row. */
  createdBodies: string[];
  updatedBodies: string[];
  removedIds: string[];
  /** Accounts that have a row in `createdBodies` or `updatedBodies`. */
  accountIds: string[];
  /** Where this walk ends. */
  highWater: bigint;
  /** Position of the last row of the page; null = the page is empty. */
  lastSeq: bigint | null;
  /** Exact: there is at least one more row in this walk. */
  hasMore: boolean;
}

export interface ListQuery {
  linkPk: bigint;
  /** Missing = all; unknown ones are ignored. */
  accountIds?: readonly string[];
  /** Days, inclusive, `YYYY-MM-DD`. */
  start: string;
  end: string;
  /** From 1. */
  page: number;
  size: number;
}

export interface ListPage {
  /** Rows of the whole selection. */
  total: number;
  bodies: string[];
  accountIds: string[];
}

type SyncRow = [headSeq: string, highWater: string, seq: string | null, kind: 'c' | 'u' | 'r', transactionId: string, accountId: string, body: string];
type ListRow = [total: number, accountId: string | null, body: string];

/** Reads the versions of a link's transactions as two views: what changed since a cursor, and what there is now. */
export class TransactionReader {
  constructor(private readonly ctx: Context) {}

  /** One page of a walk (native-api 3.6). Null = the cursor is ahead of the link: it was not written for these data. */
  async syncPage({ linkPk, cursor, size }: { linkPk: bigint; cursor: SyncCursor; size: number }): Promise<SyncPage | null> {
    const { floor, position, highWater } = cursor;
    const { rows } = await this.ctx.database.pool.query<SyncRow>({
      name: 'sync-page', text: loadSql('sync-page'), values: [linkPk, floor, position, highWater, size], rowMode: 'array',
    });
    const [first] = rows;
    if (first === undefined) return null;
    const end = BigInt(first[1]);
    if (end > BigInt(first[0]) || position > end || floor > position) return null;

    const page: SyncPage = { createdBodies: [], updatedBodies: [], removedIds: [], accountIds: [], highWater: end, lastSeq: null, hasMore: rows.length > size };
    const accounts = new Set<string>();
    for (const [, , seq, kind, transactionId, accountId, body] of rows.slice(0, size)) {
      if (seq === null) break;
      page.lastSeq = BigInt(seq);
      if (kind === 'r') {
        page.removedIds.push(transactionId);
        continue;
      }
      (kind === 'c' ? page.createdBodies : page.updatedBodies).push(body);
      accounts.add(accountId);
    }
    page.accountIds = [...accounts];
    return page;
  }

  /** One page of the rows as they are now: never removed ones, but those of closed accounts too (native-api 3.6, guarantee 7). */
  async listPage({ linkPk, accountIds, start, end, page, size }: ListQuery): Promise<ListPage> {
    const { rows } = await this.ctx.database.pool.query<ListRow>({
      name: 'transaction-list',
      text: loadSql('transaction-list'),
      values: [linkPk, accountIds ?? null, start, end, size, (BigInt(page) - 1n) * BigInt(size)],
      rowMode: 'array',
    });
    const shown = rows.filter(([, accountId]) => accountId !== null);
    return {
      total: rows[0]?.[0] ?? 0,
      bodies: shown.map(([, , body]) => body),
      accountIds: [...new Set(shown.flatMap(([, accountId]) => (accountId === null ? [] : [accountId])))],
    };
  }
}
