import type { Tenant } from '../../../domain/api/environment.js';
import { permitsUser } from '../../../domain/api/restriction.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { linkViewOf, type LinkViewRow, type LinkView } from '../../links/link/link-view.js';
import {
  toListPage,
  type ListPage,
  type ListRow,
} from '../../links/transactions/transaction-reader.js';

export interface UserLinksQuery {
  /** Missing = any. */
  institutionIds?: readonly string[] | undefined;
  /** Key of the last link on the previous page. */
  after?: bigint | undefined;
  /** Missing = all. */
  limit?: number;
}

export interface UserLinksPage {
  links: LinkView[];
  hasMore: boolean;
}

export interface UserTransactionsQuery {
  /** Days, inclusive, `YYYY-MM-DD`; they differ because each link has its own clock. */
  links: readonly { pk: bigint; start: string; end: string }[];
  /** Missing = all. */
  accountIds?: readonly string[] | undefined;
  type?: string | undefined;
  categories?: readonly string[] | undefined;
  /** Starts at 1. */
  page: number;
  size: number;
}

/** The stored data of one customer user, across all their links. Source: native-api 3.7. */
export class UserDataRepository {
  constructor(private readonly ctx: Context) {}

  /** The links that are not deleted, oldest first; empty for an unknown user. */
  async links(
    tenant: Tenant,
    userId: string,
    { institutionIds, after, limit }: UserLinksQuery = {},
  ): Promise<UserLinksPage> {
    const { appId, environment, only } = tenant;
    const linkIds = only !== undefined && 'links' in only ? only.links : null;
    if (linkIds === null && !permitsUser(tenant, userId)) return { links: [], hasMore: false };
    const { rows } = await this.ctx.database.pool.query<LinkViewRow>({
      name: 'find-links-of-user',
      text: loadSql('find-links-of-user'),
      values: [
        userId,
        appId,
        environment,
        institutionIds ?? null,
        after ?? 0n,
        limit === undefined ? null : limit + 1,
        linkIds,
      ],
    });
    const links = rows.slice(0, limit).flatMap((row) => linkViewOf(row, this.ctx.clock()) ?? []);
    return { links, hasMore: limit !== undefined && rows.length > limit };
  }

  /** One page of the current rows of these links. */
  async transactions({
    links,
    accountIds,
    type,
    categories,
    page,
    size,
  }: UserTransactionsQuery): Promise<ListPage> {
    const skip = (BigInt(page) - 1n) * BigInt(size);
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<ListRow>({
      name: 'user-transactions',
      text: loadSql('user-transactions'),
      values: [
        links.map(({ pk }) => pk),
        links.map(({ start }) => start),
        links.map(({ end }) => end),
        accountIds ?? null,
        type ?? null,
        categories ?? null,
        size,
        skip,
      ],
    });
    if (row === undefined) throw new Error('the transaction list statement returned no row');
    return toListPage(row);
  }

  /** Names and links of accounts, by account id. */
  async accounts(
    accountIds: readonly string[],
  ): Promise<{ accountId: string; name: string; linkPk: bigint }[]> {
    return this.ctx.database.prisma.account.findMany({
      where: { accountId: { in: [...accountIds] } },
      select: { accountId: true, name: true, linkPk: true },
      orderBy: { pk: 'asc' },
    });
  }
}
