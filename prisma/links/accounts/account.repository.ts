import type { Tenant } from '../../../domain/api/environment.js';
import type { AccountRecord, DayBalances } from '../../../domain/accounts/present-account.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { numbersPlace } from './store-account-numbers.js';

/** An account row as returned by SQL; amounts are decimal text. */
export interface AccountRow {
  account_id: string;
  account_type: string;
  name: string;
  nickname: string | null;
  mask: string | null;
  closed: boolean;
  missing_since: Date | null;
  original_id: string | null;
  currency: string;
  available: string | null;
  current: string | null;
  limit: string | null;
  balance_date: Date | null;
}

/** Of find-accounts-page.sql. Keys are numbers of type bigint, as text. */
interface PagedRow extends AccountRow {
  pk: string;
  link_pk: string;
  position: number;
}

export interface AccountPageQuery {
  /** Missing = all. */
  accountIds?: readonly string[] | undefined;
  /** The key of the account of the first link to continue after. */
  after?: bigint;
  limit: number;
}

export interface AccountPage {
  /** In the institution's order. Omits links without accounts. */
  byLink: ReadonlyMap<bigint, AccountRecord[]>;
  /** The link that the next page starts with, after one of its accounts or with the first; null = all were read. */
  next: { linkPk: bigint; after: bigint | null } | null;
}

/** Of find-balances.sql. */
interface BalancesRow extends Omit<DayBalances, 'balanceDate'> {
  balance_date: Date | null;
}

/**
 * The accounts of a link, in the institution's order. Excludes deleted links and links of other
 * tenants.
 */
export class AccountRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Open, permitted accounts. Without `accountIds`, all of them; unknown ids are ignored
   * (native-api 3.5).
   */
  async list(
    tenant: Tenant,
    linkId: string,
    accountIds?: readonly string[],
  ): Promise<AccountRecord[]> {
    return this.read(tenant, linkId, accountIds ?? null, { permitted: true, open: true });
  }

  /** Every account ever stored, including closed and withdrawn ones. */
  async all(tenant: Tenant, linkId: string): Promise<AccountRecord[]> {
    return this.read(tenant, linkId, null, { permitted: false, open: false });
  }

  /** Finds a permitted account by id, including a closed one; null if the link has none. */
  async find(tenant: Tenant, linkId: string, accountId: string): Promise<AccountRecord | null> {
    const [account] = await this.read(tenant, linkId, [accountId], {
      permitted: true,
      open: false,
    });
    return account ?? null;
  }

  /**
   * Accounts by id for embedded lists, including closed and withdrawn ones (native-api 3.6,
   * guarantee 7).
   */
  async byIds(
    tenant: Tenant,
    linkId: string,
    accountIds: readonly string[],
  ): Promise<AccountRecord[]> {
    return accountIds.length === 0
      ? []
      : this.read(tenant, linkId, accountIds, { permitted: false, open: false });
  }

  /**
   * At most `limit` open, permitted accounts of links, those of the first links. A link of which not all fit is left
   * to the next page, unless it is the only one: its next page continues behind the last account by its key, which
   * never changes.
   * @param linkPks ascending
   */
  async firstOf(
    linkPks: readonly bigint[],
    { accountIds, after = 0n, limit }: AccountPageQuery,
  ): Promise<AccountPage> {
    const { rows } = await this.ctx.database.pool.query<PagedRow>({
      name: 'find-accounts-page',
      text: loadSql('find-accounts-page'),
      values: [linkPks, accountIds ?? null, after, limit + 1],
    });
    const { shown, next } = cutPage(rows, limit);
    const byLink = new Map<bigint, AccountRecord[]>();
    for (const row of shown.toSorted((one, other) => one.position - other.position)) {
      const linkPk = BigInt(row.link_pk);
      const accounts = byLink.get(linkPk) ?? [];
      accounts.push(toAccountRecord(row));
      byLink.set(linkPk, accounts);
    }
    return { byLink, next };
  }

  /**
   * The recorded balances of an account on days (`YYYY-MM-DD`, both inclusive), oldest first, after
   * the last ones before them. Source: native-api 3.5.
   */
  async balancesOf(
    { appId, environment }: Tenant,
    accountId: string,
    { start, end }: { start: string; end: string },
  ): Promise<DayBalances[]> {
    const { rows } = await this.ctx.database.pool.query<BalancesRow>({
      name: 'find-balances',
      text: loadSql('find-balances'),
      values: [appId, environment, accountId, start, end],
    });
    return rows.map(({ balance_date: balanceDate, ...row }) => ({ ...row, balanceDate }));
  }

  /** Maps account ids to their owners as a JSON fragment. Omits accounts without owners. */
  async ownersOf(accounts: readonly AccountRecord[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.ctx.database.pool.query<{ account_id: string; owners: string }>({
      name: 'find-owners',
      text: loadSql('find-owners'),
      values: [accounts.map(({ accountId }) => accountId)],
    });
    return new Map(rows.map(({ account_id: accountId, owners }) => [accountId, owners]));
  }

  /** Maps account ids to their numbers as JSON. Omits accounts without numbers. */
  async numbersOf(
    linkId: string,
    accounts: readonly AccountRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.ctx.database.pool.query<{ account_id: string; sealed: Buffer }>({
      name: 'find-account-numbers',
      text: loadSql('find-account-numbers'),
      values: [accounts.map(({ accountId }) => accountId)],
    });
    const sealed = rows.map((row) => ({ at: numbersPlace(row.account_id), value: row.sealed }));
    const opened = await this.ctx.sealer.openAllUnder(
      this.ctx.database.prisma,
      `link/${linkId}`,
      sealed,
    );
    return new Map(
      opened.map((numbers, index) => [rows[index]?.account_id ?? '', numbers.toString('utf8')]),
    );
  }

  private async read(
    tenant: Tenant,
    linkId: string,
    accountIds: readonly string[] | null,
    only: { permitted: boolean; open: boolean },
  ): Promise<AccountRecord[]> {
    const { rows } = await this.ctx.database.pool.query<AccountRow>({
      name: 'find-accounts',
      text: loadSql('find-accounts'),
      values: [tenant.appId, tenant.environment, linkId, accountIds, only.permitted, only.open],
    });
    return rows.map(toAccountRecord);
  }
}

function cutPage(
  rows: readonly PagedRow[],
  limit: number,
): Pick<AccountPage, 'next'> & { shown: readonly PagedRow[] } {
  const beyond = rows[limit];
  if (beyond === undefined) return { shown: rows, next: null };
  const linkPk = BigInt(beyond.link_pk);
  const whole = rows.filter(({ link_pk: of }) => of !== beyond.link_pk);
  if (whole.length > 0) return { shown: whole, next: { linkPk, after: null } };
  const shown = rows.slice(0, limit);
  return { shown, next: { linkPk, after: BigInt(shown.at(-1)?.pk ?? 0) } };
}

export function toAccountRecord(row: AccountRow): AccountRecord {
  return {
    accountId: row.account_id,
    accountType: row.account_type,
    name: row.name,
    nickname: row.nickname,
    mask: row.mask,
    closed: row.closed,
    missingSince: row.missing_since,
    originalId: row.original_id,
    currency: row.currency,
    available: row.available,
    current: row.current,
    limit: row.limit,
    balanceDate: row.balance_date,
  };
}
