import type { Tenant } from '../../domain/api/environment.js';
import type { LinkSessionFacts } from '../../domain/session/present-link-session.js';
import type { SessionState } from '../../domain/session/session-outcome.js';
import type { Context } from '../context.js';
import { pageOf, readAtMost, type PageBound } from '../database/bounded-page.js';
import { Values, type Statement } from '../database/statement.js';
import { permittedSessions, sessionConditions } from '../applications/permitted-rows.js';
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

/** The sessions that were created in the last 90 days, newest first. Source: native-api 3.3. */
export async function listSessions(
  ctx: Context,
  tenant: Tenant,
  filter: SessionFilter,
  request: SessionPageRequest,
): Promise<SessionPage> {
  const now = ctx.clock();
  const { rows: read } = await ctx.database.pool.query<ReadRow>(
    sessionPageStatement(tenant, filter, { ...request, now }),
  );
  const { rows, next: last } = pageOf(read, boundOf(filter, request.limit));
  const next = last === null ? null : { createdAt: last.created_at, sessionId: last.session_id };
  return { sessions: await sessionsOf(ctx, tenant, rows), next };
}

interface ReadRow {
  session_id: string;
  created_at: Date;
  matches: boolean;
}

/** The rows that one page reads, in order, each with whether it matches the whole filter. */
export function sessionPageStatement(
  tenant: Tenant,
  filter: SessionFilter,
  { after, limit, now }: SessionPageRequest & { now: Date },
): Statement {
  const values = new Values();
  values.add(tenant.appId);
  values.add(tenant.environment);
  const { indexed, others } = splitConditions(filter);
  const valueOf = (name: ConditionName) =>
    CONDITIONS[name].value.replace('?', () => values.add(filter[name]));
  const checks = others.map((name) => {
    const { column, also } = CONDITIONS[name];
    return `${column} = ${valueOf(name)}${also === undefined ? '' : ` AND ${also}`}`;
  });
  // A range of the index and its whole order, never an equality: where the planner expects few rows
  // of a user or link, it would collect and sort all of them.
  const [columns, start] =
    indexed === undefined ? [[], []] : [[CONDITIONS[indexed].column], [valueOf(indexed)]];
  const order = [...columns, 's.created_at', 's.session_id'];
  const since = Math.max(now.getTime() - LISTED_MS, filter.createdSince?.getTime() ?? 0);
  const conditions = [
    's.app_id = $1 AND s.environment = $2',
    `(${[...columns, 's.created_at'].join()}) >= (${[...start, values.add(new Date(since))].join()})`,
  ];
  if (after !== null) {
    const last = [...start, values.add(after.createdAt), values.add(after.sessionId)];
    conditions.push(`(${order.join()}) < (${last.join()})`);
  } else if (indexed !== undefined) conditions.push(`${columns.join()} <= ${start.join()}`);
  const also = indexed === undefined ? undefined : CONDITIONS[indexed].also;
  if (also !== undefined) conditions.push(also);
  conditions.push(...sessionConditions(tenant, values));
  return values.statement(`
    SELECT s.session_id, s.created_at, ${checks.join(' AND ') || 'true'} AS matches FROM link_sessions s
     WHERE ${conditions.join(' AND ')}
     ORDER BY ${order.map((column) => `${column} DESC`).join()}
     LIMIT ${values.add(readAtMost(boundOf(filter, limit)))}`);
}

/** The condition whose index is read, and those that are checked on each row read. */
function splitConditions(filter: SessionFilter): {
  indexed: ConditionName | undefined;
  others: ConditionName[];
} {
  const [indexed, ...others] = (Object.keys(CONDITIONS) as ConditionName[]).filter(
    (name) => filter[name] !== undefined,
  );
  return { indexed, others };
}

function boundOf(filter: SessionFilter, limit: number): PageBound {
  return { limit, checksRows: splitConditions(filter).others.length > 0 };
}

/** Leaves out those of users whose erasure was requested, whose records may remain for a while. */
async function sessionsOf(
  ctx: Context,
  tenant: Tenant,
  found: readonly ReadRow[],
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
