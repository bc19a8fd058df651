import { withDays } from '../../../domain/investments/present-holding.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';

/** A place in the holdings of a link: the next holding to read. */
export interface HoldingPlace {
  accountPk: bigint;
  place: number;
}

export const FIRST_PLACE: HoldingPlace = { accountPk: 0n, place: 0 };

export interface HoldingPageQuery {
  /** Missing = all. */
  accountIds?: readonly string[] | undefined;
  from: HoldingPlace;
  /** Holdings and their lots. */
  limit: number;
}

/** A page of holdings, each part as public JSON. */
export interface HoldingPage {
  holdings: string[];
  /** The accounts whose last holding is on this page, or that have none. */
  accounts: string[];
  /** The securities of the holdings. */
  securities: string[];
  /** Null = there are no more. */
  next: HoldingPlace | null;
}

/** Accounts of one reading of past days. */
const ACCOUNTS_AT_ONCE = 20;

/** The holdings of the open, permitted accounts of a link, today and in the past. */
export class HoldingRepository {
  constructor(private readonly ctx: Context) {}

  /** The holdings that are held now. */
  async page(linkPk: bigint, { accountIds, from, limit }: HoldingPageQuery): Promise<HoldingPage> {
    const rows = await this.query<HeldRow>('holdings-page', [
      linkPk,
      accountIds ?? null,
      from.accountPk,
      from.place,
      limit,
    ]);
    const shown = rows.flatMap(({ body, first_seen: firstSeen }) =>
      body === null ? [] : [withDays(body, firstSeen, null)],
    );
    const after = rows[shown.length];
    const next =
      after === undefined ? null : { accountPk: BigInt(after.account_pk), place: after.place };
    const accounts = await this.query<{ body: string }>('holdings-accounts-range', [
      linkPk,
      accountIds ?? null,
      from.accountPk,
      next?.accountPk ?? null,
    ]);
    return {
      holdings: shown,
      accounts: accounts.map(({ body }) => body),
      securities: await this.securitiesOf(shown),
      next,
    };
  }

  /** The holdings as they were at the end of a day, `YYYY-MM-DD` by the clock of the link. */
  async pageOn(
    day: string,
    linkPk: bigint,
    { accountIds, from, limit }: HoldingPageQuery,
  ): Promise<HoldingPage> {
    const holdings: string[] = [];
    const accounts: string[] = [];
    let count = 0;
    let [account, place] = [from.accountPk, from.place];
    let next: HoldingPlace | null = null;
    for (let isLast = false; !isLast && next === null;) {
      const days = await this.query<DayRow>('holdings-on-day', [
        linkPk,
        accountIds ?? null,
        account,
        day,
        ACCOUNTS_AT_ONCE,
      ]);
      isLast = days.length < ACCOUNTS_AT_ONCE;
      for (const row of days) {
        const accountPk = BigInt(row.pk);
        const start = accountPk === account ? place : 0;
        for (let index = start; next === null && index < row.holdings.length; index += 1) {
          const body = row.holdings[index] ?? '';
          count += 1 + lotsOf(body);
          if (count > limit && holdings.length > 0) next = { accountPk, place: index };
          else holdings.push(body);
        }
        if (next !== null) break;
        accounts.push(row.account);
        [account, place] = [accountPk + 1n, 0];
      }
    }
    return {
      holdings: await this.withTheirDays(holdings),
      accounts,
      securities: await this.securitiesOf(holdings),
      next,
    };
  }

  private async withTheirDays(bodies: readonly string[]): Promise<string[]> {
    const ids = bodies.map((body) => parse(body).holding_id);
    const rows = await this.query<{ holding_id: string; first_seen: string; ended: string | null }>(
      'days-of-holdings',
      [ids],
    );
    const byId = new Map(rows.map((row) => [row.holding_id, row]));
    return bodies.map((body, index) => {
      const days = byId.get(ids[index] ?? '');
      return withDays(body, days?.first_seen ?? '', days?.ended ?? null);
    });
  }

  private async securitiesOf(bodies: readonly string[]): Promise<string[]> {
    const ids = [...new Set(bodies.map((body) => parse(body).security_id))];
    const rows = await this.query<{ body: string }>('security-bodies', [ids]);
    return rows.map(({ body }) => body);
  }

  private async query<Row extends object>(
    name:
      | 'holdings-page'
      | 'holdings-accounts-range'
      | 'holdings-on-day'
      | 'days-of-holdings'
      | 'security-bodies',
    values: unknown[],
  ): Promise<Row[]> {
    const { rows } = await this.ctx.database.pool.query<Row>({ name, text: loadSql(name), values });
    return rows;
  }
}

interface HeldRow {
  account_pk: string;
  place: number;
  body: string | null;
  first_seen: string;
}

interface DayRow {
  pk: string;
  account: string;
  holdings: string[];
}

/** Only renderHolding writes these texts. */
function parse(body: string): { holding_id: string; security_id: string; lots: unknown[] } {
  return JSON.parse(body) as { holding_id: string; security_id: string; lots: unknown[] };
}

const lotsOf = (body: string) => parse(body).lots.length;
