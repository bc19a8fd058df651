import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';

export interface ExportedHolding {
  /** Public JSON without its days. */
  body: string;
  /** The public JSON of its security. */
  security: string;
  first_seen: string;
  ended: string | null;
}

/** The holdings of an account on a day on which something changed. */
export interface ExportedHoldingDay {
  day: string;
  /** The public JSON of the account as of that day. */
  account: string;
  /** The public JSON of each holding without its days. */
  holdings: string[];
}

/** A version of an investment transaction. */
export interface ExportedTrade {
  seq: string;
  replaced: boolean;
  removed: boolean;
  transaction_id: string;
  /** Public JSON; empty when it was removed. */
  body: string;
  /** The public JSON of its security; null = none. */
  security: string | null;
}

/** Rows of a page: those of holdings and days are large. */
const PAGE = { holdings: 100, days: 50, securities: 500, trades: 500, liabilities: 500 };

/**
 * The investments and debts of a link as they are stored, with those of closed and withdrawn
 * accounts, read page by page. Source: native-api 3.7.
 */
export class ExportedProducts {
  constructor(private readonly ctx: Context) {}

  /** Present holdings, and holdings that ended. */
  holdings(linkPk: bigint): AsyncGenerator<ExportedHolding> {
    return this.pages<ExportedHolding>('export-holdings', linkPk, { size: PAGE.holdings });
  }

  /** Every kept day of each account, oldest first. */
  async *holdingDays(linkPk: bigint): AsyncGenerator<ExportedHoldingDay> {
    const { rows: accounts } = await this.ctx.database.pool.query<{ pk: string }>({
      name: 'export-holdings-accounts',
      text: loadSql('export-holdings-accounts'),
      values: [linkPk],
    });
    for (const { pk } of accounts) {
      const days = this.pages<Omit<ExportedHoldingDay, 'day'>>('export-holding-days', BigInt(pk), {
        first: '0001-01-01',
        size: PAGE.days,
      });
      for await (const { key, account, holdings } of days) yield { day: key, account, holdings };
    }
  }

  /** Each security of the link once, as public JSON. */
  async *securities(linkPk: bigint): AsyncGenerator<string> {
    const rows = this.pages<{ body: string }>('export-securities', linkPk, {
      size: PAGE.securities,
    });
    for await (const { body } of rows) yield body;
  }

  /** Every version up to a position of the log of investment transactions, oldest first. */
  async *trades(linkPk: bigint, until: bigint): AsyncGenerator<ExportedTrade> {
    const rows = this.pages<Omit<ExportedTrade, 'seq'>>('export-trades', linkPk, {
      size: PAGE.trades,
      more: [until],
    });
    for await (const { key, ...version } of rows) yield { seq: key, ...version };
  }

  /** Each debt as public JSON. */
  async *liabilities(linkPk: bigint): AsyncGenerator<string> {
    const rows = this.pages<{ body: string }>('export-liabilities', linkPk, {
      size: PAGE.liabilities,
    });
    for await (const { body } of rows) yield body;
  }

  /** The rows of a statement until a page is empty. */
  private async *pages<Row>(
    name: string,
    of: bigint,
    { first = '0', size, more = [] }: { first?: string; size: number; more?: unknown[] },
  ): AsyncGenerator<Row & { key: string }> {
    for (let after: string | undefined = first; after !== undefined;) {
      const { rows }: { rows: (Row & { key: string })[] } = await this.ctx.database.pool.query({
        name,
        text: loadSql(name),
        values: [of, after, size, ...more],
      });
      yield* rows;
      after = rows.at(-1)?.key;
    }
  }
}
