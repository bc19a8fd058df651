import type { Tenant } from '../../../domain/api/environment.js';
import type { LinkSessionFacts } from '../../../domain/session/present-link-session.js';
import type { SessionState } from '../../../domain/session/session-outcome.js';
import type { Context } from '../../base/context.js';
import {
  pageOf,
  readAtMost,
  readOfEach,
  type PageBound,
  type ReadRow,
} from '../../base/database/bounded-page.js';
import { mergedRanges } from '../../base/database/merged-ranges.js';
import { readInIndexOrder } from '../../base/database/read-in-index-order.js';
import { Values, type Statement } from '../../base/database/statement.js';
import {
  linkKeys,
  permittedSessions,
  permittedUsers,
  userKeys,
} from '../../tenants/applications/permitted-rows.js';
import { FACTS, factsOf } from './session-facts.js';

/** Selects link sessions of an app; all given conditions must hold. Source: native-api 3.3. */
export interface SessionFilter {
  /** The link that the session shows. */
  linkId?: string | undefined;
  /** The app's id of its user. */
  user?: string | undefined;
  institutionId?: string | undefined;
  state?: SessionState | undefined;
  /** Inclusive. */
  createdSince?: Date | undefined;
}

/** The place of a session in the order of the list. */
export interface SessionPosition {
  createdAt: Date;
  sessionId: string;
}

export interface SessionPageRequest {
  after: SessionPosition | null;
  limit: number;
}

export interface SessionPage {
  sessions: LinkSessionFacts[];
  /** The position from which the next page continues; null = this is the last one. */
  next: SessionPosition | null;
}

/** native-api 3.3: the list covers the last 90 days, however long sessions are kept. */
const LISTED_MS = 90 * 86_400_000;

type ConditionName = Exclude<keyof SessionFilter, 'createdSince'>;

interface Condition {
  column: string;
  /** `?` = the value of the filter. */
  value: string;
  /** Must hold in addition. */
  also?: string;
}

/** From the most selective to the least. The first given one decides which index is read. */
const CONDITIONS: Readonly<Record<ConditionName, Condition>> = {
  linkId: {
    column: 's.link_pk',
    value: '(SELECT pk FROM links WHERE app_id = $1 AND environment = $2 AND link_id = ?)',
    // native-api 4.12: a new link is shown once its user has finished. It has one session without a
    // success at most.
    also: `(s.mode = 'relink' OR s.succeeded_at IS NOT NULL)`,
  },
  user: {
    column: 's.customer_user_pk',
    value: '(SELECT pk FROM customer_users WHERE app_id = $1 AND environment = $2 AND user_id = ?)',
  },
  institutionId: { column: 's.institution_id', value: '?' },
  state: { column: 's.state', value: '?' },
};

/** The reads of one page: the sessions of links or users, merged, or a range of one index. */
type Source =
  | { of: 'links'; links: readonly string[] }
  | { of: 'users'; users: readonly string[] }
  | { of: 'range'; name: 'institutionId' | 'state' | undefined };

function sourceOf(tenant: Tenant, { linkId, user, ...filter }: SessionFilter): Source {
  const { only } = tenant;
  const permitted = only !== undefined && 'links' in only ? only.links : undefined;
  if (linkId !== undefined)
    return { of: 'links', links: permitted?.includes(linkId) === false ? [] : [linkId] };
  if (permitted !== undefined) return { of: 'links', links: permitted };
  const users = permittedUsers(tenant, user);
  if (users !== undefined) return { of: 'users', users };
  const names = ['institutionId', 'state'] as const;
  return { of: 'range', name: names.find((name) => filter[name] !== undefined) };
}

/** The conditions that are checked on each row read. */
function checkedConditions(source: Source, filter: SessionFilter): ConditionName[] {
  const indexed = { links: 'linkId', users: 'user', range: undefined }[source.of];
  const read = source.of === 'range' ? source.name : indexed;
  return (Object.keys(CONDITIONS) as ConditionName[]).filter(
    (name) => filter[name] !== undefined && name !== read,
  );
}

/** The sessions that were created in the last 90 days, newest first. Source: native-api 3.3. */
export async function listSessions(
  ctx: Context,
  tenant: Tenant,
  filter: SessionFilter,
  request: SessionPageRequest,
): Promise<SessionPage> {
  const now = ctx.clock();
  const read = await readInIndexOrder<KeyRow>(
    ctx.database.pool,
    sessionPageStatement(tenant, filter, { ...request, now }),
  );
  const { rows, next: last } = pageOf(read, boundOf(tenant, filter, request.limit));
  const next = last === null ? null : { createdAt: last.created_at, sessionId: last.session_id };
  return { sessions: await sessionsOf(ctx, tenant, rows), next };
}

interface KeyRow extends ReadRow {
  session_id: string;
  created_at: Date;
}

/**
 * The rows that one page reads, in order, each with whether it matches the whole filter. For
 * `readInIndexOrder`.
 */
export function sessionPageStatement(
  tenant: Tenant,
  filter: SessionFilter,
  { after, limit, now }: SessionPageRequest & { now: Date },
): Statement {
  const values = new Values();
  values.add(tenant.appId);
  values.add(tenant.environment);
  const source = sourceOf(tenant, filter);
  const bound = boundOf(tenant, filter, limit);
  const valueOf = (name: ConditionName) =>
    CONDITIONS[name].value.replace('?', () => values.add(filter[name]));
  const checks = checkedConditions(source, filter).map(
    (name) => `${CONDITIONS[name].column} = ${valueOf(name)}`,
  );
  const row = `s.session_id, s.created_at, ${checks.join(' AND ') || 'true'} AS matches`;
  const also = filter.linkId === undefined ? undefined : CONDITIONS.linkId.also;
  const since = values.add(
    new Date(Math.max(now.getTime() - LISTED_MS, filter.createdSince?.getTime() ?? 0)),
  );
  const position = after === null ? [] : [values.add(after.createdAt), values.add(after.sessionId)];
  /**
   * A range of an index, in its whole order. Never an equality: the order would need no such
   * column, and PostgreSQL may read another index of that order.
   */
  const range = (columns: readonly string[], start: readonly string[]): string => {
    const order = [...columns, 's.created_at', 's.session_id'];
    const conditions = [
      's.app_id = $1 AND s.environment = $2',
      `(${[...columns, 's.created_at'].join()}) >= (${[...start, since].join()})`,
      ...(position.length > 0
        ? [`(${order.join()}) < (${[...start, ...position].join()})`]
        : columns.map((column, index) => `${column} <= ${start[index]}`)),
      ...(also === undefined ? [] : [also]),
    ];
    return `SELECT ${row} FROM link_sessions s WHERE ${conditions.join(' AND ')}
             ORDER BY ${order.map((column) => `${column} DESC`).join()}`;
  };
  if (source.of === 'range') {
    const { name } = source;
    const rows =
      name === undefined ? range([], []) : range([CONDITIONS[name].column], [valueOf(name)]);
    return values.statement(`${rows} LIMIT ${values.add(readAtMost(bound))}`);
  }
  const [keys, { column }] =
    source.of === 'links'
      ? [linkKeys(tenant, source.links, values), CONDITIONS.linkId]
      : [userKeys(tenant, source.users, values), CONDITIONS.user];
  return values.statement(
    mergedRanges({
      keys,
      rows: range([column], ['each.key']),
      order: 'created_at DESC, session_id DESC',
      readOfEach: values.add(readOfEach(bound, rangesOf(source))),
    }),
  );
}

function rangesOf(source: Source): number {
  if (source.of === 'range') return 1;
  return source.of === 'links' ? source.links.length : source.users.length;
}

function boundOf(tenant: Tenant, filter: SessionFilter, limit: number): PageBound {
  const checked = checkedConditions(sourceOf(tenant, filter), filter);
  return { limit, checksRows: checked.length > 0 };
}

/** Leaves out those of users whose erasure was requested, whose records may remain for a while. */
async function sessionsOf(
  ctx: Context,
  tenant: Tenant,
  found: readonly KeyRow[],
): Promise<LinkSessionFacts[]> {
  if (found.length === 0) return [];
  const { prisma } = ctx.database;
  const { appId, environment } = tenant;
  const rows = await prisma.linkSession.findMany({
    where: {
      AND: [{ sessionId: { in: found.map((row) => row.session_id) } }, permittedSessions(tenant)],
    },
    select: FACTS,
  });
  // While an erasure runs, the user's row holds its id.
  const userIds = [...new Set(rows.map(({ customerUser }) => customerUser.userId))];
  const erasures = await prisma.userErasure.findMany({
    where: { erasureId: { in: userIds }, appId, environment },
    select: { erasureId: true },
  });
  const erased = new Set(erasures.map(({ erasureId }) => erasureId));
  const sessions = new Map(
    rows
      .filter(({ customerUser }) => !erased.has(customerUser.userId))
      .map((row) => [row.sessionId, factsOf(row)]),
  );
  return found.flatMap((row) => sessions.get(row.session_id) ?? []);
}
