import type { Database } from '../../base/database/database.js';
import { Values, type Statement } from '../../base/database/statement.js';
import type { Prisma } from '../../generated/client.js';

const LAST_EVENTS = 20;
const BEYOND_ALL = 2n ** 63n - 1n;

const REPORTED = { products: { orderBy: { position: 'asc' } } } satisfies Prisma.LinkInclude;

export interface ReportedSession {
  sessionId: string;
  beganAs: string;
  openedAt: Date | null;
}

/** An event of a link, with the delivery that gives its status. */
export interface ReportedEvent {
  eventId: string;
  webhookEvent: string;
  createdAt: Date;
  deliveryId: string | null;
  status: string | null;
  attempts: number | null;
  nextAttemptAt: Date | null;
}

export interface ReportedUnrevoked {
  provider: string;
  reference: string | null;
  reason: string;
  createdAt: Date;
}

export interface LinkReport {
  link: Prisma.LinkGetPayload<{ include: typeof REPORTED }>;
  /** The adapter of its provider. */
  adapter: string;
  /** Oldest first. */
  sessions: ReportedSession[];
  /** Newest first. */
  events: ReportedEvent[];
  /** Permissions that were erased here but never revoked at the bank, oldest first. */
  unrevoked: ReportedUnrevoked[];
}

/**
 * An operator's view of a link. Not scoped by a tenant, so it must never serve an API call.
 * @param max of sessions and of permissions, the newest; null = all
 */
export async function reportLink(
  { prisma, pool }: Pick<Database, 'prisma' | 'pool'>,
  linkId: string,
  max: number | null = null,
): Promise<LinkReport | null> {
  const link = await prisma.link.findUnique({ where: { linkId }, include: REPORTED });
  if (link === null) return null;
  const [sessions, events, unrevoked, configuration] = await Promise.all([
    pool.query<ReportedSession>(reportedSessionsStatement(link.pk, max)),
    pool.query<ReportedEvent>(reportedEventsStatement(linkId)),
    pool.query<ReportedUnrevoked>(reportedUnrevokedStatement(linkId, max)),
    prisma.providerConfiguration.findUnique({
      where: { name: link.provider },
      select: { adapter: true },
    }),
  ]);
  return {
    link,
    adapter: configuration?.adapter ?? link.provider,
    sessions: sessions.rows.reverse(),
    events: events.rows,
    unrevoked: unrevoked.rows.reverse(),
  };
}

/*
 * Every range is a comparison of rows in the whole order of an index, never an equality: where the
 * planner expects few rows of a link, it would collect and sort all of them (decision 0055).
 */

/** The newest first. */
export function reportedSessionsStatement(linkPk: bigint, max: number | null): Statement {
  return {
    text: `
      SELECT s.session_id AS "sessionId", s.began_as AS "beganAs", s.opened_at AS "openedAt"
        FROM link_sessions s
       WHERE (s.link_pk, s.created_at, s.session_id) < ($1::bigint + 1, '-infinity', '') AND s.link_pk >= $1::bigint
       ORDER BY s.link_pk DESC, s.created_at DESC, s.session_id DESC LIMIT $2::int`,
    values: [linkPk, max],
  };
}

export function reportedEventsStatement(linkId: string): Statement {
  const values = new Values();
  const id = values.add(linkId);
  const last = values.add(BEYOND_ALL);
  return values.statement(`
    SELECT e.event_id AS "eventId", e.webhook_event AS "webhookEvent", e.created_at AS "createdAt",
           d.delivery_id AS "deliveryId", d.status, d.attempts, d.next_attempt_at AS "nextAttemptAt"
      FROM (SELECT * FROM webhook_events r
             WHERE (r.link_id, r.pk) <= (${id}, ${last}::bigint) AND r.link_id >= ${id}
             ORDER BY r.link_id DESC, r.pk DESC LIMIT ${LAST_EVENTS}) AS e
      -- A delivery to a listener is never the newest one.
      LEFT JOIN LATERAL (
        SELECT n.* FROM webhook_deliveries n
         WHERE (n.event_pk, n.newest, n.pk) <= (e.pk, true, ${last}::bigint) AND (n.event_pk, n.newest) >= (e.pk, true)
         ORDER BY n.event_pk DESC, n.newest DESC, n.pk DESC LIMIT 1) AS d ON true
     ORDER BY e.pk DESC`);
}

/** The newest first. */
export function reportedUnrevokedStatement(linkId: string, max: number | null): Statement {
  return {
    text: `
      SELECT u.provider, u.reference, u.reason, u.created_at AS "createdAt" FROM unrevoked_permissions u
       WHERE (u.link_id, u.pk) <= ($1, $2::bigint) AND u.link_id >= $1
       ORDER BY u.link_id DESC, u.pk DESC LIMIT $3::int`,
    values: [linkId, BEYOND_ALL, max],
  };
}
