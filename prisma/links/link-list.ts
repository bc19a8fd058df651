import type { Tenant } from '../../domain/api/environment.js';
import type { LinkError, LinkState } from '../../domain/link/link-state.js';
import type { Context } from '../context.js';
import { pageOf, readAtMost, type PageBound } from '../database/bounded-page.js';
import { loadSql } from '../database/load-sql.js';
import { Values, type Statement } from '../database/statement.js';
import { linkConditions } from '../applications/permitted-rows.js';
import { linkViewOf, type LinkView, type LinkViewRow } from './link-view.js';

/** Selects links of an app; all given conditions must hold. Source: native-api 3.4. */
export interface LinkFilter {
  /** The app's id of its user. */
  user?: string | undefined;
  tag?: string | undefined;
  error?: LinkError | undefined;
  institutionId?: string | undefined;
  provider?: string | undefined;
  state?: LinkState | undefined;
  /** Inclusive. It also changes the order: by time of update instead of creation. */
  updatedSince?: Date | undefined;
}

/** The place of a link in the order of a list. */
export interface LinkPosition {
  pk: bigint;
  updatedAt: Date;
}

export interface LinkPageRequest {
  after: LinkPosition | null;
  limit: number;
}

export interface LinkPage {
  links: LinkView[];
  /** The position from which the next page continues; null = this is the last one. */
  next: LinkPosition | null;
}

type ConditionName = Exclude<keyof LinkFilter, 'updatedSince'>;

/** From the most selective to the least. The first given one decides which index is read. */
const CONDITIONS: Readonly<Record<ConditionName, string>> = {
  user: `l.customer_user_pk = (SELECT pk FROM customer_users WHERE app_id = $1 AND environment = $2 AND user_id = ?)`,
  tag: `? = ANY(l.tags)`,
  error: `l.error_code = ?`,
  institutionId: `l.institution_id = ?`,
  provider: `l.provider = ?`,
  state: `l.state = ?`,
};

/**
 * The links that were connected at least once or imported and are not deleted: oldest first, or
 * with `updatedSince` those whose update is longest ago first. Source: native-api 3.4.
 */
export async function listLinks(
  ctx: Context,
  tenant: Tenant,
  filter: LinkFilter,
  request: LinkPageRequest,
): Promise<LinkPage> {
  const { pool } = ctx.database;
  const { rows: read } = await pool.query<ReadRow>(linkPageStatement(tenant, filter, request));
  const { rows: found, next: last } = pageOf(read, boundOf(tenant, filter, request.limit));
  const next = last === null ? null : { pk: BigInt(last.pk), updatedAt: last.updated_at };
  if (found.length === 0) return { links: [], next };
  const keys = found.map(({ pk }) => pk);
  const { rows } = await pool.query<LinkViewRow>({
    name: 'links-by-key',
    text: loadSql('links-by-key'),
    values: [keys],
  });
  const now = ctx.clock();
  const views = new Map(rows.map((row) => [row.pk, linkViewOf(row, now)]));
  return { links: keys.flatMap((key) => views.get(key) ?? []), next };
}

interface ReadRow {
  /** A bigint, as text. */
  pk: string;
  updated_at: Date;
  matches: boolean;
}

/** The rows that one page reads, in order, each with whether it matches the whole filter. */
export function linkPageStatement(
  tenant: Tenant,
  filter: LinkFilter,
  { after, limit }: LinkPageRequest,
): Statement {
  const values = new Values();
  values.add(tenant.appId);
  values.add(tenant.environment);
  const { indexed, others } = splitConditions(tenant, filter);
  const conditionOf = (name: ConditionName) =>
    CONDITIONS[name].replace('?', () => values.add(filter[name]));
  const matches = others.length === 0 ? 'true' : others.map(conditionOf).join(' AND ');
  const take = `LIMIT ${values.add(readAtMost(boundOf(tenant, filter, limit)))}`;
  if (indexed === 'tag') {
    // Only listed links have rows in it.
    const behind = after === null ? '' : `AND t.link_pk > ${values.add(after.pk)}`;
    return values.statement(`
      SELECT found.* FROM (SELECT t.link_pk FROM link_tags t
               WHERE t.app_id = $1 AND t.environment = $2 AND t.tag = ${values.add(filter.tag)} ${behind}
               ORDER BY t.link_pk ${take}) AS tagged
        -- OFFSET 0: one link after another, whatever the planner expects of the tag.
       CROSS JOIN LATERAL (SELECT l.pk, l.updated_at, ${matches} AS matches FROM links l
                            WHERE l.pk = tagged.link_pk OFFSET 0) AS found
       ORDER BY found.pk`);
  }
  const conditions = [
    'l.app_id = $1 AND l.environment = $2 AND l.connected_at IS NOT NULL AND l.deleted_at IS NULL',
    ...linkConditions(tenant, values),
    ...(indexed === undefined ? [] : [conditionOf(indexed)]),
  ];
  const { updatedSince } = filter;
  if (updatedSince !== undefined) conditions.push(`l.updated_at >= ${values.add(updatedSince)}`);
  if (after !== null)
    conditions.push(
      updatedSince === undefined
        ? `l.pk > ${values.add(after.pk)}`
        : `(l.updated_at, l.pk) > (${values.add(after.updatedAt)}, ${values.add(after.pk)})`,
    );
  return values.statement(`
    SELECT l.pk, l.updated_at, ${matches} AS matches FROM links l
     WHERE ${conditions.join(' AND ')}
     ORDER BY ${updatedSince === undefined ? 'l.pk' : 'l.updated_at, l.pk'} ${take}`);
}

/**
 * The condition whose index is read, and those that are checked on each row read. The order by
 * update has an index of its own for errors, and one for all others. A restricted caller reads the
 * few links that it may reach.
 */
function splitConditions(
  { only }: Tenant,
  filter: LinkFilter,
): {
  indexed: ConditionName | undefined;
  others: ConditionName[];
} {
  const given = (Object.keys(CONDITIONS) as ConditionName[]).filter(
    (name) => filter[name] !== undefined,
  );
  if (only !== undefined) return { indexed: undefined, others: given };
  const [first] =
    filter.updatedSince === undefined ? given : given.filter((name) => name === 'error');
  return { indexed: first, others: given.filter((name) => name !== first) };
}

function boundOf(tenant: Tenant, filter: LinkFilter, limit: number): PageBound {
  return { limit, checksRows: splitConditions(tenant, filter).others.length > 0 };
}
