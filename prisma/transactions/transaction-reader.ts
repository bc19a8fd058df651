import type { SyncCursor } from '../../domain/transactions/sync-cursor.js';
import type { Tenant } from '../../domain/api/environment.js';
import type { AccountRecord } from '../../domain/accounts/present-account.js';
import type { Context } from '../context.js';
import { loadSql } from '../database/load-sql.js';
import { toAccountRecord, type AccountRow } from '../accounts/account.repository.js';
import { linkViewOf, type LinkViewRow, type LinkView } from '../links/link-view.js';

/** A page of a walk, and the link as it was at that moment. */
export interface SyncRead {
  link: LinkView;
  /** Null = the cursor is ahead of the link: it was not written for these data. */
  page: SyncPage | null;
}

/** The lists of a page are JSON fragments: what stands between the brackets, joined in the database once. */
export interface SyncPage {
  created: string;
  updated: string;
  removed: string;
  /** Those that have a row in `created` or `updated`, in the institution's order; closed and withdrawn ones too. */
  accounts: AccountRecord[];
  /** Where this walk ends. */
  highWater: bigint;
  /** Position of the last row of the page; null = the page is empty. */
  lastSeq: bigint | null;
  /** Exact: there is at least one more row in this walk. */
  hasMore: boolean;
}

export interface SyncQuery {
  tenant: Tenant;
  linkId: string;
  cursor: SyncCursor;
  size: number;
}

export interface ListPage {
  /** Rows of the whole selection, and of this page. */
  total: number;
  size: number;
  /** A JSON fragment, as in SyncPage. */
  rows: string;
  accountIds: string[];
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

/** Numbers of type bigint arrive as text. */
interface SyncRow extends LinkViewRow {
  high_water: string;
  last_seq: string | null;
  has_more: boolean;
  created: string;
  updated: string;
  removed: string;
  accounts: (Omit<AccountRow, 'balance_date'> & { balance_date: string | null })[] | null;
}

export interface ListRow {
  total: number;
  size: number;
  rows: string;
  account_ids: string | null;
}

/** Reads the versions of a link's transactions as two views: what changed since a cursor, and what there is now. */
export class TransactionReader {
  constructor(private readonly ctx: Context) {}

  /** One page of a walk (native-api 3.6). Null = the tenant has no such link. */
  async syncPage({
    tenant,
    linkId,
    cursor: { floor, position, highWater },
    size,
  }: SyncQuery): Promise<SyncRead | null> {
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<SyncRow>({
      name: 'sync-page',
      text: loadSql('sync-page'),
      values: [linkId, tenant.appId, tenant.environment, floor, position, highWater, size],
    });
    const link = row === undefined ? null : linkViewOf(row, this.ctx.clock());
    if (row === undefined || link === null) return null;
    const end = BigInt(row.high_water);
    if (end > link.headSeq || position > end || floor > position) return { link, page: null };
    const page = {
      created: row.created,
      updated: row.updated,
      removed: row.removed,
      accounts: (row.accounts ?? []).map((account) =>
        toAccountRecord({
          ...account,
          balance_date: account.balance_date === null ? null : new Date(account.balance_date),
        }),
      ),
      highWater: end,
      lastSeq: row.last_seq === null ? null : BigInt(row.last_seq),
      hasMore: row.has_more,
    };
    return { link, page };
  }

  /** One page of the rows as they are now: never removed ones, but those of closed accounts too (native-api 3.6, guarantee 7). */
  async listPage({ linkPk, accountIds, start, end, page, size }: ListQuery): Promise<ListPage> {
    const skip = (BigInt(page) - 1n) * BigInt(size);
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<ListRow>({
      name: 'transaction-list',
      text: loadSql('transaction-list'),
      values: [linkPk, accountIds ?? null, start, end, size, skip],
    });
    if (row === undefined) throw new Error('the list of transactions has no answer');
    return toListPage(row);
  }
}

export function toListPage(row: ListRow): ListPage {
  return { total: row.total, size: row.size, rows: row.rows, accountIds: listed(row.account_ids) };
}

/** Ids never hold a comma. */
function listed(ids: string | null): string[] {
  return ids === null ? [] : ids.split(',');
}
