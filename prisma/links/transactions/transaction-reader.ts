import type { SyncCursor } from '../../../domain/transactions/sync-cursor.js';
import type { Tenant } from '../../../domain/api/environment.js';
import { permitsLink } from '../../../domain/api/restriction.js';
import type { AccountRecord } from '../../../domain/accounts/present-account.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { toAccountRecord, type AccountRow } from '../accounts/account.repository.js';
import { openCounterpartyNumbers } from './sealed-counterparty-numbers.js';
import { linkViewOf, type LinkViewRow, type LinkView } from '../link/link-view.js';

/** A page of a walk, and the link in the same snapshot. */
export interface SyncRead {
  link: LinkView;
  /**
   * Null = the cursor is ahead of the link, or its positions were issued after a backup that was
   * restored: it was written for other data.
   */
  page: SyncPage | null;
}

/**
 * The lists of a page are JSON fragments without the surrounding brackets, joined once in the
 * database.
 */
export interface SyncPage {
  created: string;
  updated: string;
  removed: string;
  /**
   * The accounts of the rows in `created` and `updated`, in the institution's order, including
   * closed and withdrawn ones.
   */
  accounts: AccountRecord[];
  /** The end of this walk. */
  highWater: bigint;
  /** Position of the last row on the page; null = the page is empty. */
  lastSeq: bigint | null;
  /** Exact: at least one more row follows in this walk. */
  hasMore: boolean;
}

export interface SyncQuery {
  tenant: Tenant;
  linkId: string;
  cursor: SyncCursor;
  size: number;
}

export interface ListPage {
  /** The number of rows in the whole selection, and on this page. */
  total: number;
  size: number;
  /** A JSON fragment, as in SyncPage. */
  rows: string;
  accountIds: string[];
}

export interface ListQuery {
  linkPk: bigint;
  /** Missing = all; unknown ids are ignored. */
  accountIds?: readonly string[];
  /** Days, inclusive, `YYYY-MM-DD`. */
  start: string;
  end: string;
  /** Starts at 1. */
  page: number;
  size: number;
}

/** Numbers of type bigint arrive as text. */
export interface SyncRow extends LinkViewRow {
  high_water: string;
  last_seq: string | null;
  has_more: boolean;
  is_void: boolean;
  created: string;
  updated: string;
  removed: string;
  accounts: AccountJson[] | null;
}

export interface ListRow {
  total: number;
  size: number;
  rows: string;
  account_ids: string | null;
}

/** Reads a link's transactions in two views: the changes since a cursor, and the current rows. */
export class TransactionReader {
  constructor(private readonly ctx: Context) {}

  /** One page of a walk (native-api 3.6). Null = the caller has no such link. */
  async syncPage({ tenant, linkId, cursor, size }: SyncQuery): Promise<SyncRead | null> {
    const { floor, position, highWater } = cursor;
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<SyncRow>({
      name: 'sync-page',
      text: loadSql('sync-page'),
      values: [linkId, tenant.appId, tenant.environment, floor, position, highWater, size],
    });
    if (row === undefined) return null;
    return toSyncRead(this.ctx, { tenant, cursor }, row, row.head_seq);
  }

  /**
   * One page of the current rows, excluding removed ones but including those of closed accounts
   * (native-api 3.6, guarantee 7).
   */
  async listPage({ linkPk, accountIds, start, end, page, size }: ListQuery): Promise<ListPage> {
    const skip = (BigInt(page) - 1n) * BigInt(size);
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<ListRow>({
      name: 'transaction-list',
      text: loadSql('transaction-list'),
      values: [linkPk, accountIds ?? null, start, end, size, skip],
    });
    if (row === undefined) throw new Error('the transaction list statement returned no row');
    return toListPage(row);
  }

  /**
   * The numbers of the counterparty of a current transaction as public JSON, null if unknown. Null =
   * the link has no such transaction. Source: native-api 3.6.
   */
  async numbers(
    { pk, linkId }: Pick<LinkView, 'pk' | 'linkId'>,
    transactionId: string,
  ): Promise<{ counterparty: string | null } | null> {
    const { database, sealer } = this.ctx;
    const row = await database.prisma.transactionVersion.findFirst({
      where: { linkPk: pk, transactionId, nextSeq: null, removed: false },
      select: { counterpartyNumbers: true },
    });
    if (row === null) return null;
    const [counterparty = null] = await openCounterpartyNumbers(sealer, database.prisma, linkId, [
      row.counterpartyNumbers,
    ]);
    return { counterparty };
  }
}

/** `head` = the end of the log. Null = the caller has no such link. */
export function toSyncRead(
  { clock }: Pick<Context, 'clock'>,
  { tenant, cursor: { floor, position } }: Pick<SyncQuery, 'tenant' | 'cursor'>,
  row: SyncRow,
  head: string,
): SyncRead | null {
  const link = linkViewOf(row, clock());
  if (link === null || !permitsLink(tenant, link)) return null;
  const end = BigInt(row.high_water);
  if (row.is_void || end > BigInt(head) || position > end || floor > position)
    return { link, page: null };
  const page = {
    created: row.created,
    updated: row.updated,
    removed: row.removed,
    accounts: (row.accounts ?? []).map((account) =>
      toAccountRecord({
        ...account,
        balance_date: instantOrNull(account.balance_date),
        missing_since: instantOrNull(account.missing_since),
      }),
    ),
    highWater: end,
    lastSeq: row.last_seq === null ? null : BigInt(row.last_seq),
    hasMore: row.has_more,
  };
  return { link, page };
}

export function toListPage(row: ListRow): ListPage {
  return { total: row.total, size: row.size, rows: row.rows, accountIds: listed(row.account_ids) };
}

/** Ids never contain a comma. */
function listed(ids: string | null): string[] {
  return ids === null ? [] : ids.split(',');
}

type Instant = 'balance_date' | 'missing_since';
type AccountJson = Omit<AccountRow, Instant> & Record<Instant, string | null>;

function instantOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
