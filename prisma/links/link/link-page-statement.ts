import type { Tenant } from '../../../domain/api/environment.js';
import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import { permittedUsers } from '../../tenants/applications/permitted-rows.js';
import { readAtMost, readOfEach, type PageBound } from '../../base/database/bounded-page.js';
import { mergedRanges } from '../../base/database/merged-ranges.js';
import { Values, type Statement } from '../../base/database/statement.js';

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
/** Those whose index is a range of these columns, followed by the order of the list. */
const COLUMNS: Readonly<Record<Exclude<ConditionName, 'user' | 'tag'>, string>> = {
  error: 'l.error_code',
  institutionId: 'l.institution_id',
  provider: 'l.provider',
  state: 'l.state',
};

/** The reads of one page. */
type Source =
  /** The links of users, merged. */
  | { of: 'users'; users: readonly string[] }
  /** The few links to which a key pair is limited. */
  | { of: 'links'; links: readonly string[] }
  | { of: 'tag' }
  /** A range of one index; without a column, all links of the app. */
  | { of: 'range'; name?: keyof typeof COLUMNS | undefined };

/**
 * The order by update has an index of its own for users and for errors, and one for all others.
 */
function sourceOf(tenant: Tenant, filter: LinkFilter): Source {
  const { only } = tenant;
  if (only !== undefined && 'links' in only) return { of: 'links', links: only.links };
  const users = permittedUsers(tenant, filter.user);
  if (users !== undefined) return { of: 'users', users };
  const byUpdate = filter.updatedSince !== undefined;
  if (filter.tag !== undefined && !byUpdate) return { of: 'tag' };
  const names: (keyof typeof COLUMNS)[] = byUpdate
    ? ['error']
    : ['error', 'institutionId', 'provider', 'state'];
  return { of: 'range', name: names.find((name) => filter[name] !== undefined) };
}

/** The conditions that are checked on each row read. */
function checkedConditions(source: Source, filter: LinkFilter): ConditionName[] {
  const read = { users: 'user', links: undefined, tag: 'tag', range: undefined }[source.of];
  const indexed = source.of === 'range' ? source.name : read;
  return (Object.keys(CONDITIONS) as ConditionName[]).filter(
    (name) => filter[name] !== undefined && name !== indexed,
  );
}

export function linkPageBound(tenant: Tenant, filter: LinkFilter, limit: number): PageBound {
  const checked = checkedConditions(sourceOf(tenant, filter), filter);
  return { limit, checksRows: checked.length > 0 };
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
  const source = sourceOf(tenant, filter);
  const bound = linkPageBound(tenant, filter, limit);
  const checks = checkedConditions(source, filter).map((name) =>
    CONDITIONS[name].replace('?', () => values.add(filter[name])),
  );
  const row = `l.pk, l.updated_at, ${checks.join(' AND ') || 'true'} AS matches`;
  const take = () => `LIMIT ${values.add(readAtMost(bound))}`;
  const { updatedSince } = filter;
  const listed = 'l.connected_at IS NOT NULL AND l.deleted_at IS NULL';
  const ofApp = `l.app_id = $1 AND l.environment = $2 AND ${listed}`;
  const order = updatedSince === undefined ? ['pk'] : ['updated_at', 'pk'];
  /** The row behind which the page begins. */
  const position =
    updatedSince === undefined
      ? [values.add(after?.pk ?? 0n)]
      : after === null
        ? []
        : [values.add(after.updatedAt), values.add(after.pk)];
  const since = updatedSince === undefined || after !== null ? [] : [values.add(updatedSince)];
  /**
   * A range of an index, in its whole order. Never an equality, nor `>=` and `<=` of one column:
   * where the planner expects few rows of a user or bank, it would collect and sort all of them.
   */
  const range = (columns: readonly string[], start: readonly string[], direction = ''): string => {
    const ordered = [...columns, ...order.map((column) => `l.${column}`)];
    const conditions = [
      // The key of a user implies its app.
      source.of === 'users' ? listed : ofApp,
      ...columns.map((column, index) => `${column} <= ${start[index]}`),
      // One of both: PostgreSQL would expect much fewer rows of two.
      ...(position.length > 0
        ? from('>', ordered, [...start, ...position])
        : from('>=', ordered, [...start, ...since])),
    ];
    return `SELECT ${row} FROM links l WHERE ${conditions.join(' AND ')} ORDER BY ${ordered.join().replace(',', `${direction},`)}`;
  };
  switch (source.of) {
    case 'users':
      return values.statement(
        mergedRanges({
          keys: `SELECT u.pk AS key FROM customer_users u
                  WHERE u.app_id = $1 AND u.environment = $2 AND u.user_id = ANY(${values.add(source.users)}::text[])`,
          // The index by update has this direction (its migration says why).
          rows: range(
            ['l.customer_user_pk'],
            ['each.key'],
            updatedSince === undefined ? '' : ' NULLS FIRST',
          ),
          order: order.join(),
          readOfEach: values.add(readOfEach(bound, source.users.length)),
        }),
      );
    case 'links': {
      const ordered = order.map((column) => `l.${column}`);
      const conditions = [ofApp, ...from('>=', ordered, since), ...from('>', ordered, position)];
      return values.statement(`
        SELECT found.* FROM (SELECT DISTINCT unnest(${values.add(source.links)}::text[]) AS link_id) AS permitted
          -- OFFSET 0: one link after another, by its id.
         CROSS JOIN LATERAL (SELECT ${row} FROM links l
                              WHERE l.link_id = permitted.link_id AND ${conditions.join(' AND ')} OFFSET 0) AS found
         ORDER BY ${order.join()} ${take()}`);
    }
    case 'tag': {
      // Only listed links have rows in it.
      return values.statement(`
        SELECT found.* FROM (SELECT t.link_pk FROM link_tags t
                 WHERE t.app_id = $1 AND t.environment = $2 AND t.tag = ${values.add(filter.tag)} AND t.link_pk > ${position.join()}
                 ORDER BY t.link_pk ${take()}) AS tagged
          -- OFFSET 0: one link after another, whatever the planner expects of the tag.
         CROSS JOIN LATERAL (SELECT ${row} FROM links l WHERE l.pk = tagged.link_pk OFFSET 0) AS found
         ORDER BY found.pk`);
    }
    case 'range': {
      const { name } = source;
      const rows =
        name === undefined ? range([], []) : range([COLUMNS[name]], [values.add(filter[name])]);
      return values.statement(`${rows} ${take()}`);
    }
  }
}

/** The condition that a row is at or behind a place in an order, of which `place` may be a part. */
function from(
  comparison: '>=' | '>',
  order: readonly string[],
  place: readonly string[],
): string[] {
  if (place.length === 0) return [];
  return [`(${order.slice(0, place.length).join()}) ${comparison} (${place.join()})`];
}
