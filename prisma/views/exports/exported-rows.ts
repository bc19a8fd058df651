import type { Tenant } from '../../../domain/api/environment.js';
import { permitsLink, permitsUser } from '../../../domain/api/restriction.js';
import type { ExportedDetails } from '../../../domain/exports/exported-details.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { findLinkRow } from '../../links/link/find-link-view.js';
import { linkViewOf, type LinkView, type LinkViewRow } from '../../links/link/link-view.js';
import { openCounterpartyNumbers } from '../../links/transactions/sealed-counterparty-numbers.js';

/** A link as the API presents it, with the times of its creation and deletion. */
export interface ExportedLink {
  view: LinkView;
  /** The position of its log of investment transactions. */
  investmentSeq: bigint;
  times: {
    createdAt: Date;
    connectedAt: Date | null;
    importedAt: Date | null;
    deletedAt: Date | null;
  };
}

export interface ExportedVersion {
  seq: string;
  replaced: boolean;
  removed: boolean;
  transaction_id: string;
  /** The public JSON of the transaction; empty when it was removed. */
  body: string;
  /** The numbers of the counterparty as public JSON; undefined where they may not be shown. */
  counterpartyNumbers: string | null | undefined;
}

type LinkKey = Pick<LinkView, 'pk' | 'linkId' | 'headSeq'>;

/** A link or user was erased while it was exported, with rows that the export does not have. */
export class ExportedDataGone extends Error {
  override readonly name = 'ExportedDataGone';
}

/** A row of transaction_versions with sealed numbers. */
interface NumberedRow {
  seq: string;
  counterparty_numbers: Buffer | null;
}

interface VersionRow extends NumberedRow, Omit<ExportedVersion, 'seq' | 'counterpartyNumbers'> {}

type TextMembers = Record<string, string | null> | null;

/** The public JSON of a transaction, parsed; read its decimals from `Amounts` instead. */
export type TransactionBody = Record<
  'transaction_id' | 'account_id' | 'type' | 'currency' | 'date',
  string
> &
  Record<
    | 'datetime'
    | 'description'
    | 'raw_description'
    | 'category'
    | 'original_id'
    | 'remittance'
    | 'transacted_at'
    | 'category_source',
    string | null
  > & {
    pending: boolean;
    counterparty: TextMembers;
    merchant: TextMembers;
    references: TextMembers;
    original: { currency: string } | null;
  };

/** Exact decimals as text. */
interface Amounts {
  amount: string;
  original_amount: string | null;
  original_rate: string | null;
}

interface TransactionRow extends NumberedRow, Amounts {
  body: string;
}

export interface ExportedTransaction extends Amounts {
  transaction: TransactionBody;
  /** Of the counterparty. */
  numbers: TextMembers;
}

export interface ExportedEvent {
  event_id: string;
  webhook_event: string;
  created_at: Date;
  /** The body as sent, without the tokens of the compatibility layer. */
  body: string;
}

interface TimesRow {
  /** A bigint, as text. */
  pk: string;
  investment_seq: string;
  created_at: Date;
  connected_at: Date | null;
  imported_at: Date | null;
  deleted_at: Date | null;
}

export interface ExportedUser {
  pk: bigint;
  user_id: string;
  /** As received. */
  email: unknown;
  phone: unknown;
  created_at: Date;
  last_used_at: Date;
}

export interface ExportedSession {
  session_id: string;
  mode: string;
  state: string;
  end_reason: string | null;
  created_at: Date;
  opened_at: Date | null;
  ended_at: Date | null;
  link_id: string | null;
  institution_id: string | null;
  products: unknown;
  tags: string[];
  webhook: string | null;
  redirect_uri: string | null;
  theme: unknown;
  sandbox_data: unknown;
}

const PAGE = { links: 50, versions: 500, events: 200, sessions: 100 };

/**
 * Everything stored about one customer user or link, read page by page, without a transaction that would last as long
 * as the reader likes. The transactions of a link are those of one position, since a version never changes but for its
 * end; every other page shows the moment at which it is read. Source: native-api 3.7.
 */
export class ExportedRows {
  constructor(
    private readonly ctx: Context,
    private readonly details: ExportedDetails,
  ) {}

  /** Null = the caller has no such user; one that is limited to links has none. */
  async user(tenant: Tenant, userId: string): Promise<ExportedUser | null> {
    if (!permitsUser(tenant, userId)) return null;
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<ExportedUser & { pk: string }>({
      name: 'export-user',
      text: `SELECT u.pk::text, u.user_id, u.email, u.phone, u.created_at, u.last_used_at FROM customer_users u
              WHERE u.app_id = $1 AND u.environment = $2 AND u.user_id = $3`,
      values: [tenant.appId, tenant.environment, userId],
    });
    return row === undefined ? null : { ...row, pk: BigInt(row.pk) };
  }

  async *links(customerUserPk: bigint): AsyncGenerator<ExportedLink> {
    const { pool } = this.ctx.database;
    for (let after = 0n; ;) {
      const { rows } = await pool.query<LinkViewRow>({
        name: 'export-links',
        text: loadSql('export-links'),
        values: [customerUserPk, after, PAGE.links],
      });
      const pks = rows.map(({ pk }) => BigInt(pk));
      yield* await this.withTimes(rows);
      const last = pks.at(-1);
      if (last === undefined || rows.length < PAGE.links) return;
      after = last;
    }
  }

  /** The fragments of a link. @throws ExportedDataGone at their end, if it was erased meanwhile */
  async *whileStored<T>(
    { appId, environment }: Tenant,
    { view: { pk, state } }: ExportedLink,
    fragments: AsyncIterable<T>,
  ): AsyncGenerator<T> {
    yield* fragments;
    const { rowCount } = await this.ctx.database.pool.query(
      // The data of a link ends with its deletion, and with a failure before it connected.
      `SELECT 1 FROM links WHERE pk = $1::bigint AND app_id = $2 AND environment = $3
          AND (state = $4 OR (connected_at IS NOT NULL AND 'deleted' NOT IN (state, $4)))`,
      [pk, appId, environment, state],
    );
    if (rowCount === 0) throw new ExportedDataGone('the link was erased while it was exported');
  }

  /** @throws ExportedDataGone if the user was erased meanwhile */
  async requireUser(tenant: Tenant, { pk, user_id: userId }: ExportedUser): Promise<void> {
    if ((await this.user(tenant, userId))?.pk !== pk)
      throw new ExportedDataGone('the user was erased while it was exported');
  }

  /** Null = the caller has no such link. */
  async link(tenant: Tenant, linkId: string): Promise<ExportedLink | null> {
    const row = await findLinkRow(this.ctx, tenant, linkId);
    const [link] = await this.withTimes(row === undefined ? [] : [row]);
    return link !== undefined && permitsLink(tenant, link.view) ? link : null;
  }

  private async withTimes(rows: readonly LinkViewRow[]): Promise<ExportedLink[]> {
    const { rows: times } = await this.ctx.database.pool.query<TimesRow>({
      name: 'export-link-times',
      text: `SELECT l.pk::text, l.investment_seq::text, l.created_at, l.connected_at, l.imported_at, l.deleted_at FROM links l WHERE l.pk = ANY($1::bigint[])`,
      values: [rows.map(({ pk }) => pk)],
    });
    return rows.flatMap((row) => {
      const view = linkViewOf(row, this.ctx.clock());
      const its = times.find(({ pk }) => pk === row.pk);
      if (view === null || its === undefined) return [];
      return {
        view,
        investmentSeq: BigInt(its.investment_seq),
        times: {
          createdAt: its.created_at,
          connectedAt: its.connected_at,
          importedAt: its.imported_at,
          deletedAt: its.deleted_at,
        },
      };
    });
  }

  /** Every version of every transaction of a link up to its position, oldest first. */
  async *versions(link: LinkKey): AsyncGenerator<ExportedVersion> {
    const pages = this.withNumbers<VersionRow>(link, {
      name: 'export-versions',
      text: `SELECT v.seq::text, v.next_seq IS NOT NULL AND v.next_seq <= $4::bigint AS replaced, v.removed, v.transaction_id, v.body, v.counterparty_numbers FROM transaction_versions v
              WHERE v.link_pk = $1::bigint AND v.seq > $2::bigint AND v.seq <= $4::bigint ORDER BY v.seq LIMIT $3::int`,
    });
    for await (const { row, numbers } of pages) yield { ...row, counterpartyNumbers: numbers };
  }

  /** The transactions of a link that are not removed at its position, as members of a CSV row. */
  async *currentTransactions(link: LinkKey): AsyncGenerator<ExportedTransaction> {
    const pages = this.withNumbers<TransactionRow>(link, {
      name: 'export-transactions',
      // Numbers as the text that the body holds: a JavaScript number cannot hold every decimal.
      text: `SELECT v.seq::text, v.counterparty_numbers, v.body, v.body::json ->> 'amount' AS amount,
                    v.body::json #>> '{original,amount}' AS original_amount, v.body::json #>> '{original,rate}' AS original_rate
               FROM transaction_versions v
              WHERE v.link_pk = $1::bigint AND v.seq > $2::bigint AND v.seq <= $4::bigint
                AND (v.next_seq IS NULL OR v.next_seq > $4::bigint) AND NOT v.removed
              ORDER BY v.seq LIMIT $3::int`,
    });
    for await (const { row, numbers } of pages) {
      const { body, ...amounts } = row;
      yield {
        ...amounts,
        transaction: JSON.parse(body) as TransactionBody,
        numbers: JSON.parse(numbers ?? 'null') as TextMembers,
      };
    }
  }

  /**
   * The rows of a statement over versions, page by page, with the opened numbers of their
   * counterparties if they may be shown. Its parameters are the key of the link, the position before the page, its size, and the position of the
   * link.
   */
  private async *withNumbers<Row extends NumberedRow>(
    { pk, linkId, headSeq }: LinkKey,
    statement: { name: string; text: string },
  ): AsyncGenerator<{
    row: Omit<Row, 'counterparty_numbers'>;
    numbers: string | null | undefined;
  }> {
    const { pool, prisma } = this.ctx.database;
    for (let after = '0'; ;) {
      const { rows } = await pool.query<Row>({
        ...statement,
        values: [pk, after, PAGE.versions, headSeq],
      });
      const sealed = rows.map((row) => row.counterparty_numbers);
      const opened = this.details.numbers
        ? await openCounterpartyNumbers(this.ctx.sealer, prisma, linkId, sealed)
        : undefined;
      for (const [index, { counterparty_numbers: _, ...row }] of rows.entries())
        yield { row, numbers: opened === undefined ? undefined : (opened[index] ?? null) };
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE.versions) return;
      after = last.seq;
    }
  }

  /** The events of a link or session, oldest first. */
  async *events(subject: string): AsyncGenerator<ExportedEvent> {
    for (let after = '0'; ;) {
      const { rows } = await this.ctx.database.pool.query<ExportedEvent & { pk: string }>({
        name: 'export-events',
        text: `SELECT e.pk::text, e.event_id, e.webhook_event, e.created_at, e.body FROM webhook_events e
                WHERE e.link_id = $1::text AND e.pk > $2::bigint ORDER BY e.pk LIMIT $3::int`,
        values: [subject, after, PAGE.events],
      });
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE.events) return;
      after = last.pk;
    }
  }

  async *sessions(customerUserPk: bigint): AsyncGenerator<ExportedSession> {
    for (let after = ''; ;) {
      const { rows } = await this.ctx.database.pool.query<ExportedSession>({
        name: 'export-sessions',
        text: `SELECT s.session_id, s.mode, s.state, s.end_reason, s.created_at, s.opened_at, s.ended_at, coalesce(l.link_id, s.existing_link_id) AS link_id,
                      s.institution_id, s.products, s.tags, s.webhook, s.redirect_uri, s.theme, s.sandbox_data
                 FROM link_sessions s LEFT JOIN links l ON l.pk = s.link_pk
                WHERE s.customer_user_pk = $1::bigint AND s.session_id > $2::text ORDER BY s.session_id LIMIT $3::int`,
        values: [customerUserPk, after, PAGE.sessions],
      });
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE.sessions) return;
      after = last.session_id;
    }
  }
}
