import { isHosted } from '../../../domain/session/session-options.js';
import type { SessionExit } from '../../../domain/session/session-exit.js';
import type { SessionState } from '../../../domain/session/session-outcome.js';
import type { JudgedRoute } from '../../../domain/institutions/route-choice.js';
import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import { attemptsIn } from '../../announcements/webhooks/attempt-history.js';
import type { Database } from '../../base/database/database.js';
import type { Statement } from '../../base/database/statement.js';
import type { Prisma } from '../../generated/client.js';
import { factsInBody } from './facts-in-body.js';
import { mergeSources, type Source } from './merge-sources.js';
import { NEWEST, type TimelinePosition } from './timeline-position.js';
import {
  actionsStatement,
  deliveriesStatement,
  deliveryActionsStatement,
  eventsStatement,
  linkStatement,
  READ_OF_EACH,
  routesStatement,
  sessionsStatement,
  unrevokedStatement,
} from './timeline-statements.js';
import type {
  ActionMoment,
  EventMoment,
  LinkMoment,
  PermissionMoment,
  TimelineDelivery,
  TimelineKind,
  TimelineLink,
  TimelineRow,
} from './timeline-row.js';

export interface TimelineRequest {
  /** Missing = every kind. */
  kinds?: readonly TimelineKind[] | undefined;
  /** The `next` of an earlier page; null = from the newest. */
  before: TimelinePosition | null;
  /** True: of operators' actions, those on the link itself, without those on its bank and provider. */
  isOfLinkAlone?: boolean;
}

export interface TimelinePage {
  link: TimelineLink;
  /** Newest first. */
  rows: TimelineRow[];
  /** The place where the next page begins; null = this is the last one. */
  next: TimelinePosition | null;
}

const PAGE = READ_OF_EACH - 1;
const SHOWN_ATTEMPTS = 5;

type Pending = { eventPk: bigint } & Omit<EventMoment, 'deliveries'>;
type PendingRow = Exclude<TimelineRow, EventMoment> | Pending;

/**
 * The past of a link, read from rows that exist for other reasons: one range of an index for
 * each source. Not scoped by a tenant, so it must never serve an API call. Null = there is no such
 * link.
 */
export async function readTimeline(
  database: Pick<Database, 'pool'>,
  linkId: string,
  { kinds, before, isOfLinkAlone = false }: TimelineRequest,
): Promise<TimelinePage | null> {
  const [link] = await read<LinkRow>(database, linkStatement(linkId));
  if (link === undefined) return null;
  const start = before ?? NEWEST;
  const rowsOf = async <Row extends object>(
    kind: TimelineKind,
    statement: Statement,
  ): Promise<Row[]> =>
    kinds === undefined || kinds.includes(kind) ? read<Row>(database, statement) : [];
  const [actions, routes, sessions, permissions, events] = await Promise.all([
    rowsOf<RangedActionRow>(
      'operator',
      actionsStatement(isOfLinkAlone ? [linkId] : subjectsOf(link), start),
    ),
    rowsOf<RouteRow>('route', routesStatement(linkId, start)),
    rowsOf<SessionRow>('session', sessionsStatement(BigInt(link.pk), start)),
    rowsOf<UnrevokedRow>('permission', unrevokedStatement(linkId, start)),
    rowsOf<EventRow>('event', eventsStatement(linkId, start)),
  ]);
  const operator = actionsOf(link, actions);
  const route = byKey(routes, routeOf);
  const session = sessionsOf(sessions);
  const unrevoked = byKey(permissions, unrevokedOf);
  const event = byKey(events, eventOf);
  const moment = momentsOf(link, kinds, start.moment);
  const { rows, next } = mergeSources<PendingRow, TimelinePosition>(
    { operator, route, session, unrevoked, event, moment },
    start,
    PAGE,
  );
  return { link: linkOf(link), rows: await withDeliveries(database, rows), next };
}

async function read<Row extends object>(
  { pool }: Pick<Database, 'pool'>,
  statement: Statement,
): Promise<Row[]> {
  return (await pool.query<Row>(statement)).rows;
}

interface LinkRow {
  /** A bigint, as text; so are all keys. */
  pk: string;
  link_id: string;
  app_id: string;
  environment: string;
  institution_id: string;
  institution_name: string | null;
  provider: string;
  state: string;
  error_code: string | null;
  error_message: string | null;
  error_cause: string | null;
  webhook_format: string;
  created_at: Date;
  connected_at: Date | null;
  imported_at: Date | null;
  deleted_at: Date | null;
  credential_provider: string | null;
  reference: string | null;
  stored_at: Date | null;
  renewed_at: Date | null;
}

const linkOf = (row: LinkRow): TimelineLink => ({
  pk: BigInt(row.pk),
  linkId: row.link_id,
  appId: row.app_id,
  environment: row.environment,
  institutionId: row.institution_id,
  institutionName: row.institution_name ?? row.institution_id,
  provider: row.provider,
  state: row.state as LinkState,
  error: row.error_code as LinkError | null,
  errorMessage: row.error_message,
  errorCause: row.error_cause,
  webhookFormat: row.webhook_format,
  createdAt: row.created_at,
});

interface KeyedRow {
  pk: string;
  created_at: Date;
}

/** Rows in the order of their keys, which rise with time. */
function byKey<Row extends KeyedRow>(
  rows: readonly Row[],
  toRow: (row: Row) => PendingRow,
): Source<PendingRow, bigint> {
  return {
    rows: rows.map((row) => {
      const shown = toRow(row);
      const key = BigInt(row.pk);
      return { kind: shown.kind, at: row.created_at, key, shown, position: key };
    }),
    isCut: rows.length === READ_OF_EACH,
    top: aboveKey(rows[0]),
  };
}

const aboveKey = (first: KeyedRow | undefined): bigint =>
  first === undefined ? 0n : BigInt(first.pk) + 1n;

interface ActionRow extends KeyedRow {
  actor: string;
  action: string;
  subject: string;
  outcome: ActionMoment['outcome'];
  /** The first word of the subject. */
  word: string;
}
type RangedActionRow = ActionRow & { is_cut: boolean; has_outcome: boolean };

const subjectsOf = ({ link_id, institution_id, provider }: LinkRow): string[] => [
  ...new Set([link_id, institution_id, provider]),
];
/** Commands on a bank or provider; another one may have a subject that merely begins like its name. */
const ON_OTHERS = /^(institutions|providers|routes) /;

function actionsOf(link: LinkRow, read: readonly RangedActionRow[]): Source<PendingRow, bigint> {
  const cut = read.findIndex((row) => row.is_cut);
  // Behind a row that was cut off, rows of its subject may be missing.
  const complete = cut === -1 ? read : read.slice(0, cut + 1);
  // No action on the link is older than the link, and older ones on its bank are not its own.
  const early = complete.findIndex((row) => row.created_at < link.created_at);
  const rows = early === -1 ? complete : complete.slice(0, early);
  return {
    rows: rows.map((row) => {
      const isOwn = row.word === link.link_id || ON_OTHERS.test(row.action);
      const key = BigInt(row.pk);
      return {
        kind: 'operator',
        at: row.created_at,
        key,
        shown: isOwn && !row.has_outcome ? { kind: 'operator', ...actionOf(row) } : null,
        position: key,
      };
    }),
    isCut: cut !== -1 && early === -1,
    top: aboveKey(rows[0]),
  };
}

const actionOf = (row: ActionRow): Omit<ActionMoment, 'kind'> => ({
  at: row.created_at,
  number: BigInt(row.pk),
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  outcome: row.outcome,
});

interface RouteRow extends KeyedRow {
  session_id: string;
  why: string;
  chosen: string | null;
  candidates: JudgedRoute[];
  failed_cause: string | null;
}

const routeOf = (row: RouteRow): PendingRow => ({
  kind: 'route',
  at: row.created_at,
  sessionId: row.session_id,
  why: row.why,
  chosen: row.chosen,
  routes: row.candidates,
  failedCause: row.failed_cause,
});

interface SessionRow {
  session_id: string;
  created_at: Date;
  mode: string;
  state: string;
  end_reason: string | null;
  expires_at: Date;
  opened_at: Date | null;
  succeeded_at: Date | null;
  ended_at: Date | null;
  exit: SessionExit | null;
  bank_accepted: boolean;
  options: Prisma.JsonValue;
  client_id: string;
  client_label: string | null;
}

function sessionsOf(rows: readonly SessionRow[]): Source<PendingRow, TimelinePosition['session']> {
  return {
    rows: rows.map((row) => ({
      kind: 'session',
      at: row.created_at,
      key: row.session_id,
      position: { at: row.created_at, sessionId: row.session_id },
      shown: {
        kind: 'session',
        at: row.created_at,
        sessionId: row.session_id,
        mode: row.mode as 'link' | 'relink',
        state: row.state as SessionState,
        endReason: row.end_reason,
        expiresAt: row.expires_at,
        openedAt: row.opened_at,
        succeededAt: row.succeeded_at,
        endedAt: row.ended_at,
        exit: row.exit,
        bankAccepted: row.bank_accepted,
        isHosted: isHosted({ options: row.options }),
        clientId: row.client_id,
        clientLabel: row.client_label,
      },
    })),
    isCut: rows.length === READ_OF_EACH,
    top: { at: new Date((rows[0]?.created_at.getTime() ?? -1) + 1), sessionId: '' },
  };
}

interface UnrevokedRow extends KeyedRow {
  provider: string;
  reference: string | null;
  reason: string;
}

const unrevokedOf = (row: UnrevokedRow): PendingRow => ({
  kind: 'permission',
  at: row.created_at,
  moment: 'not_revoked',
  provider: row.provider,
  reference: row.reference,
  reason: row.reason,
});

interface EventRow extends KeyedRow {
  event_id: string;
  webhook_event: string;
  origin: string;
  body: string;
}

const eventOf = (row: EventRow): PendingRow => ({
  kind: 'event',
  at: row.created_at,
  eventPk: BigInt(row.pk),
  eventId: row.event_id,
  webhookEvent: row.webhook_event,
  origin: row.origin,
  facts: factsInBody(row.body),
});

/** The moments of which the link and its credential keep the times: at most six. */
function momentsOf(
  link: LinkRow,
  kinds: readonly TimelineKind[] | undefined,
  before: TimelinePosition['moment'],
): Source<PendingRow, TimelinePosition['moment']> {
  const ofLink = (moment: LinkMoment['moment'], at: Date | null): (LinkMoment | null)[] => [
    at === null ? null : { kind: 'link', at, moment },
  ];
  const ofPermission = (
    moment: 'stored' | 'renewed',
    at: Date | null,
  ): (PermissionMoment | null)[] => [
    at === null
      ? null
      : {
          kind: 'permission',
          at,
          moment,
          provider: link.credential_provider ?? link.provider,
          reference: link.reference,
          reason: null,
        },
  ];
  const moments = [
    ...ofLink('created', link.created_at),
    ...ofLink('imported', link.imported_at),
    ...ofLink('connected', link.connected_at),
    ...ofPermission('stored', link.stored_at),
    ...ofPermission('renewed', link.renewed_at),
    ...ofLink('deleted', link.deleted_at),
  ]
    .map((shown, order) => ({ shown, order }))
    .filter(
      (moment): moment is { shown: LinkMoment | PermissionMoment; order: number } =>
        moment.shown !== null && (kinds === undefined || kinds.includes(moment.shown.kind)),
    )
    .map(({ shown, order }) => ({
      kind: shown.kind,
      at: shown.at,
      key: BigInt(order),
      shown,
      position: { at: shown.at, order },
    }))
    .filter(({ position }) => compare(position, before) < 0);
  moments.sort((one, other) => compare(other.position, one.position));
  const { at, order } = moments[0]?.position ?? { at: new Date(0), order: 0 };
  return { rows: moments, isCut: false, top: { at, order: order + 1 } };
}

type MomentPosition = TimelinePosition['moment'];
const compare = (one: MomentPosition, other: MomentPosition): number =>
  one.at.getTime() - other.at.getTime() || one.order - other.order;

interface DeliveryRow extends KeyedRow {
  event_pk: string;
  delivery_id: string;
  endpoint: string | null;
  reason: string;
  status: string;
  attempts: number;
  history: Prisma.JsonValue;
  next_attempt_at: Date | null;
}

/** Adds the deliveries of the events of a page, and what operators did to them. */
async function withDeliveries(
  database: Pick<Database, 'pool'>,
  rows: readonly PendingRow[],
): Promise<TimelineRow[]> {
  const eventPks = rows.flatMap((row) => (row.kind === 'event' ? [row.eventPk] : []));
  if (eventPks.length === 0) return rows as TimelineRow[];
  const deliveries = await read<DeliveryRow>(database, deliveriesStatement(eventPks));
  const actions = await read<ActionRow>(
    database,
    deliveryActionsStatement(deliveries.map((delivery) => delivery.delivery_id)),
  );
  return rows.map((row): TimelineRow => {
    if (row.kind !== 'event') return row;
    const { eventPk, ...event } = row;
    const own = deliveries.filter((delivery) => BigInt(delivery.event_pk) === eventPk);
    return { ...event, deliveries: own.map((delivery) => deliveryOf(delivery, actions)) };
  });
}

function deliveryOf(row: DeliveryRow, actions: readonly ActionRow[]): TimelineDelivery {
  return {
    deliveryId: row.delivery_id,
    endpoint: row.endpoint,
    reason: row.reason,
    status: row.status,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    attemptsMade: row.attempts,
    attempts: attemptsIn(row.history)
      .slice(-SHOWN_ATTEMPTS)
      .map(({ attempt, startedAt, durationMs, httpStatus, error }) => ({
        attempt,
        startedAt,
        durationMs,
        httpStatus,
        error,
      })),
    actions: actions
      .filter(({ word, outcome }) => word === row.delivery_id && outcome !== 'started')
      .map(actionOf),
  };
}
