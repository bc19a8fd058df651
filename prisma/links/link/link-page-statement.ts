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
  /** Links that are otherwise not listed. Not with `updatedSince`, whose indexes omit them. */
  include?: readonly UnlistedLinks[] | undefined;
}

/** One that was deleted before it was ever connected belongs to both. */
export const UNLISTED_LINKS = ['never_connected', 'deleted'] as const;
export type UnlistedLinks = (typeof UNLISTED_LINKS)[number];

/** The states of links that only `include` lists. */
export const UNLISTED_STATES = {
  connecting: 'never_connected',
  awaiting_token_exchange: 'never_connected',
  deleted: 'deleted',
} as const satisfies Partial<Record<LinkState, UnlistedLinks>>;

/** By creation, or by update with `updatedSince`. */
export type LinkOrder = 'asc' | 'desc';

/** The place of a link in the order of a list. */
export interface LinkPosition {
  pk: bigint;
  updatedAt: Date;
}

export interface LinkPageRequest {
  order: LinkOrder;
  after: LinkPosition | null;
  limit: number;
}

type ConditionName = Exclude<keyof LinkFilter, 'updatedSince' | 'include'>;

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
  /** A range of one index; without a column, all links of the app by update. */
  | { of: 'range'; name: keyof typeof COLUMNS | undefined }
  /** All links of the app by creation. */
  | { of: 'app' };

/** With an equality, PostgreSQL may read the newest or oldest links of all apps, where it expects few others. */
const OF_APP: readonly string[] = ['l.app_id', 'l.environment'];

/** The rows that an index has, which a statement repeats so that it can be read. */
const LISTED = 'l.connected_at IS NOT NULL AND l.deleted_at IS NULL';
/** Of links that are not to be included. */
const EXCLUSIONS: Readonly<Record<UnlistedLinks, string>> = {
  never_connected: 'l.connected_at IS NOT NULL',
  deleted: 'l.deleted_at IS NULL',
};
/** Greater than every key. */
const BEYOND_ALL = 2n ** 63n - 1n;

/**
 * The order by update has an index of its own for users and for errors, and one for all others.
 */
function sourceOf(tenant: Tenant, filter: LinkFilter): Source {
  const { only } = tenant;
  if (only !== undefined && 'links' in only) return { of: 'links', links: only.links };
  const users = permittedUsers(tenant, filter.user);
  if (users !== undefined) return { of: 'users', users };
  if (includesUnlisted(filter)) return { of: 'app' };
  const byUpdate = filter.updatedSince !== undefined;
  if (filter.tag !== undefined && !byUpdate) return { of: 'tag' };
  const names: (keyof typeof COLUMNS)[] = byUpdate
    ? ['error']
    : ['error', 'institutionId', 'provider', 'state'];
  const name = names.find((known) => filter[known] !== undefined);
  return name === undefined && !byUpdate ? { of: 'app' } : { of: 'range', name };
}

const includesUnlisted = ({ include }: LinkFilter) => include !== undefined && include.length > 0;

/** The rows of the index that is read; undefined = every link. */
function rowsOfIndex(source: Source, filter: LinkFilter): string | undefined {
  if (includesUnlisted(filter)) return undefined;
  const isOfError = source.of === 'range' && source.name === 'error';
  // PostgreSQL does not conclude it from a comparison of rows.
  return isOfError ? `${LISTED} AND l.error_code IS NOT NULL` : LISTED;
}

/** The conditions that are checked on each row read. */
function checkedConditions(source: Source, filter: LinkFilter): ConditionName[] {
  const read = {
    users: 'user',
    links: undefined,
    tag: 'tag',
    range: undefined,
    app: undefined,
  }[source.of];
  const indexed = source.of === 'range' ? source.name : read;
  return (Object.keys(CONDITIONS) as ConditionName[]).filter(
    (name) => filter[name] !== undefined && name !== indexed,
  );
}

/** Conditions by which rows of an index with unlisted links are left out. */
function exclusions(filter: LinkFilter): string[] {
  if (!includesUnlisted(filter)) return [];
  return UNLISTED_LINKS.filter((kind) => !filter.include?.includes(kind)).map(
    (kind) => EXCLUSIONS[kind],
  );
}

export function linkPageBound(tenant: Tenant, filter: LinkFilter, limit: number): PageBound {
  const checked = checkedConditions(sourceOf(tenant, filter), filter);
  return { limit, checksRows: checked.length + exclusions(filter).length > 0 };
}

/** The rows that one page reads, in order, each with whether it matches the whole filter. */
export function linkPageStatement(
  tenant: Tenant,
  filter: LinkFilter,
  { order: direction, after, limit }: LinkPageRequest,
): Statement {
  const values = new Values();
  values.add(tenant.appId);
  values.add(tenant.environment);
  const source = sourceOf(tenant, filter);
  const bound = linkPageBound(tenant, filter, limit);
  const checks = checkedConditions(source, filter).map((name) =>
    CONDITIONS[name].replace('?', () => values.add(filter[name])),
  );
  const row = `l.pk, l.updated_at, ${[...checks, ...exclusions(filter)].join(' AND ') || 'true'} AS matches`;
  const take = () => `LIMIT ${values.add(readAtMost(bound))}`;
  const { updatedSince } = filter;
  const indexed = rowsOfIndex(source, filter);
  const isNewestFirst = direction === 'desc';
  const behind = isNewestFirst ? '<' : '>';
  const order = updatedSince === undefined ? ['pk'] : ['updated_at', 'pk'];
  const ordered = (columns: readonly string[]) =>
    columns.map((column) => (isNewestFirst ? `${column} DESC` : column)).join();
  /** The row behind which the page begins. */
  const position =
    updatedSince === undefined
      ? [values.add(after?.pk ?? (isNewestFirst ? BEYOND_ALL : 0n))]
      : after === null
        ? []
        : [values.add(after.updatedAt), values.add(after.pk)];
  const isSinceKnown = !isNewestFirst && after !== null;
  const since = updatedSince === undefined || isSinceKnown ? [] : [values.add(updatedSince)];
  /**
   * A range of an index, in its whole order. Never an equality, nor `>=` and `<=` of one column:
   * where the planner expects few rows of a user or bank, it would collect and sort all of them.
   */
  const range = (columns: readonly string[], start: readonly string[], nulls = ''): string => {
    const whole = [...columns, ...order.map((column) => `l.${column}`)];
    // One of both: PostgreSQL would expect much fewer rows of two.
    const first =
      position.length > 0
        ? compared(behind, whole, [...start, ...position])
        : compared(isNewestFirst ? '<=' : '>=', whole, [...start, ...(isNewestFirst ? [] : since)]);
    const last = isNewestFirst
      ? compared('>=', whole, [...start, ...since])
      : compared('<=', columns, start);
    const conditions = [
      ...(indexed === undefined ? [] : [indexed]),
      // The key of a user implies its app.
      ...(source.of === 'users' || columns === OF_APP
        ? []
        : ['l.app_id = $1 AND l.environment = $2']),
      ...first,
      ...last,
    ];
    return `SELECT ${row} FROM links l WHERE ${conditions.join(' AND ')} ORDER BY ${ordered(whole).replace(',', `${nulls},`)}`;
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
            updatedSince === undefined ? '' : isNewestFirst ? ' NULLS LAST' : ' NULLS FIRST',
          ),
          order: ordered(order),
          readOfEach: values.add(readOfEach(bound, source.users.length)),
        }),
      );
    case 'links': {
      const whole = order.map((column) => `l.${column}`);
      const conditions = [
        'l.app_id = $1 AND l.environment = $2',
        ...(indexed === undefined ? [] : [indexed]),
        ...compared('>=', whole, since),
        ...compared(behind, whole, position),
      ];
      return values.statement(`
        SELECT found.* FROM (SELECT DISTINCT unnest(${values.add(source.links)}::text[]) AS link_id) AS permitted
          -- OFFSET 0: one link after another, by its id.
         CROSS JOIN LATERAL (SELECT ${row} FROM links l
                              WHERE l.link_id = permitted.link_id AND ${conditions.join(' AND ')} OFFSET 0) AS found
         ORDER BY ${ordered(order)} ${take()}`);
    }
    case 'tag': {
      const columns = ['t.app_id', 't.environment', 't.tag'];
      const { each, start } = hidden(['$1', '$2', values.add(filter.tag)]);
      const conditions = [
        ...compared(behind, [...columns, 't.link_pk'], [...start, ...position]),
        ...compared(isNewestFirst ? '>=' : '<=', columns, start),
      ];
      // Only listed links have rows in it.
      return values.statement(`
        SELECT found.* FROM ${each} CROSS JOIN LATERAL (SELECT t.link_pk FROM link_tags t
                 WHERE ${conditions.join(' AND ')}
                 ORDER BY ${ordered([...columns, 't.link_pk'])} ${take()}) AS tagged
          -- OFFSET 0: one link after another, whatever the planner expects of the tag.
         CROSS JOIN LATERAL (SELECT ${row} FROM links l WHERE l.pk = tagged.link_pk OFFSET 0) AS found
         ORDER BY ${ordered(['found.pk'])}`);
    }
    case 'range': {
      const { name } = source;
      const rows =
        name === undefined ? range([], []) : range([COLUMNS[name]], [values.add(filter[name])]);
      return values.statement(`${rows} ${take()}`);
    }
    case 'app': {
      const { each, start } = hidden(['$1', '$2']);
      return values.statement(`
        SELECT found.* FROM ${each} CROSS JOIN LATERAL (${range(OF_APP, start)} ${take()}) AS found
         ORDER BY ${ordered(order)}`);
    }
  }
}

/**
 * The first columns of a range, of which the planner does not know the values: where it expects few
 * rows of one, it would collect and sort all of them.
 */
function hidden(values: readonly string[]): { each: string; start: string[] } {
  const columns = values.map((value, index) => `${value}::text AS k${index}`);
  return {
    each: `(SELECT ${columns.join()} OFFSET 0) AS each`,
    start: values.map((_, index) => `each.k${index}`),
  };
}

/** The condition that a row is on one side of a place in an order, of which `place` may be a part. */
function compared(
  comparison: '>=' | '>' | '<=' | '<',
  order: readonly string[],
  place: readonly string[],
): string[] {
  if (place.length === 0) return [];
  return [`(${order.slice(0, place.length).join()}) ${comparison} (${place.join()})`];
}
