import type { Tenant } from '../../domain/api/environment.js';
import { permitsUser } from '../../domain/api/restriction.js';
import type { Context } from '../context.js';
import type { CustomerUser, Link, LinkSession } from '../generated/client.js';
import { loadSql } from '../database/load-sql.js';
import { linkViewOf, type LinkView, type LinkViewRow } from '../links/link-view.js';
import { openCounterpartyNumbers } from '../transactions/sealed-counterparty-numbers.js';

/** A link as the API presents it, with the times of its creation and deletion. */
export interface ExportedLink {
  view: LinkView;
  times: Pick<Link, 'createdAt' | 'connectedAt' | 'importedAt' | 'deletedAt'>;
}

export interface ExportedVersion {
  seq: string;
  replaced: boolean;
  removed: boolean;
  transaction_id: string;
  /** The public JSON of the transaction; empty when it was removed. */
  body: string;
  /** The numbers of the counterparty as public JSON. */
  counterpartyNumbers: string | null;
}

interface VersionRow extends Omit<ExportedVersion, 'counterpartyNumbers'> {
  counterparty_numbers: Buffer | null;
}

export interface ExportedEvent {
  event_id: string;
  webhook_event: string;
  created_at: Date;
  /** The body as sent, without the tokens of the compatibility layer. */
  body: string;
}

const PAGE = { links: 50, versions: 500, events: 200, sessions: 100 };

/**
 * Everything stored about one customer user, read page by page so that a slow reader does not keep
 * a transaction open. Each page shows the state at the time it is read. Source: native-api 3.7.
 */
export class UserExportRepository {
  constructor(private readonly ctx: Context) {}

  /** Null = the caller has no such user; one that is limited to links has none. */
  async user(tenant: Tenant, userId: string): Promise<CustomerUser | null> {
    if (!permitsUser(tenant, userId)) return null;
    const { appId, environment } = tenant;
    return this.ctx.database.prisma.customerUser.findUnique({
      where: { appId_environment_userId: { appId, environment, userId } },
    });
  }

  async *links(customerUserPk: bigint): AsyncGenerator<ExportedLink> {
    const { pool, prisma } = this.ctx.database;
    for (let after = 0n; ;) {
      const { rows } = await pool.query<LinkViewRow>({
        name: 'export-links',
        text: loadSql('export-links'),
        values: [customerUserPk, after, PAGE.links],
      });
      const pks = rows.map(({ pk }) => BigInt(pk));
      const times = await prisma.link.findMany({
        where: { pk: { in: pks } },
        select: { pk: true, createdAt: true, connectedAt: true, importedAt: true, deletedAt: true },
      });
      for (const row of rows) {
        const view = linkViewOf(row, this.ctx.clock());
        const its = times.find(({ pk }) => pk === BigInt(row.pk));
        if (view !== null && its !== undefined) yield { view, times: its };
      }
      const last = pks.at(-1);
      if (last === undefined || rows.length < PAGE.links) return;
      after = last;
    }
  }

  /** Every version of every transaction of a link, oldest first. */
  async *versions({
    pk: linkPk,
    linkId,
  }: Pick<LinkView, 'pk' | 'linkId'>): AsyncGenerator<ExportedVersion> {
    const { pool, prisma } = this.ctx.database;
    for (let after = '0'; ;) {
      const { rows } = await pool.query<VersionRow>({
        name: 'export-versions',
        text: `SELECT v.seq::text, v.next_seq IS NOT NULL AS replaced, v.removed, v.transaction_id, v.body, v.counterparty_numbers FROM transaction_versions v
                WHERE v.link_pk = $1::bigint AND v.seq > $2::bigint ORDER BY v.seq LIMIT $3::int`,
        values: [linkPk, after, PAGE.versions],
      });
      const numbers = await openCounterpartyNumbers(
        this.ctx.sealer,
        prisma,
        linkId,
        rows.map((row) => row.counterparty_numbers),
      );
      for (const [index, { counterparty_numbers: _, ...row }] of rows.entries())
        yield { ...row, counterpartyNumbers: numbers[index] ?? null };
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

  async *sessions(
    customerUserPk: bigint,
  ): AsyncGenerator<LinkSession & { link: { linkId: string } | null }> {
    for (let after = ''; ;) {
      const rows = await this.ctx.database.prisma.linkSession.findMany({
        where: { customerUserPk, sessionId: { gt: after } },
        include: { link: { select: { linkId: true } } },
        orderBy: { sessionId: 'asc' },
        take: PAGE.sessions,
      });
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE.sessions) return;
      after = last.sessionId;
    }
  }
}
