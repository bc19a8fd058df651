import type { Tenant } from '../../../domain/api/environment.js';
import { readAtMost, readOfEach, type PageBound } from '../../base/database/bounded-page.js';
import { mergedRanges } from '../../base/database/merged-ranges.js';
import { Values, type Statement } from '../../base/database/statement.js';
import type { LinkFilter, LinkPageRequest } from './link-filter.js';
import {
  checkedConditions,
  exclusions,
  rowsOfIndex,
  sourceOf,
  type ConditionName,
} from './link-page-source.js';

const CONDITIONS: Readonly<Record<ConditionName, string>> = {
  user: `l.customer_user_pk = (SELECT pk FROM customer_users WHERE app_id = $1 AND environment = $2 AND user_id = ?)`,
  tag: `? = ANY(l.tags)`,
  error: `l.error_code = ?`,
  institutionId: `l.institution_id = ?`,
  provider: `l.provider = ?`,
  state: `l.state = ?`,
};

export function linkPageBound(tenant: Tenant, filter: LinkFilter, limit: number): PageBound {
  const checked = checkedConditions(sourceOf(tenant, filter), filter);
  return { limit, checksRows: checked.length + exclusions(filter).length > 0 };
}

/**
 * The rows that one page reads, in order, each with whether it matches the whole filter. For
 * `readInIndexOrder`.
 */
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
  const byUpdate = updatedSince !== undefined;
  const isNewestFirst = direction === 'desc';
  const behind = isNewestFirst ? '<' : '>';
  const order = byUpdate ? ['updated_at', 'pk'] : ['pk'];
  const ordered = (columns: readonly string[]) =>
    columns.map((column) => (isNewestFirst ? `${column} DESC` : column)).join();
  /** The row behind which the page begins. */
  const position =
    after === null
      ? []
      : [...(byUpdate ? [values.add(after.updatedAt)] : []), values.add(after.pk)];
  // Oldest first, no position is before it.
  const since = byUpdate && (after === null || isNewestFirst) ? [values.add(updatedSince)] : [];

  /**
   * The rows of an index whose first columns have these values, in the whole order of the index.
   * Only comparisons of rows: by an equality, the order needs no such column, and PostgreSQL may
   * read another index with the rows of all apps.
   */
  const range = (
    columns: readonly string[],
    of: readonly string[],
    { alias = 'l', then = order } = {},
  ): string => {
    const start = columns.map((column) => `${alias}.${column}`);
    const whole = [...start, ...then.map((column) => `${alias}.${column}`)];
    const first = compared('>=', whole, [...of, ...since]);
    const last = compared('<=', start, of);
    const [near, far] = isNewestFirst ? [last, first] : [first, last];
    const from = position.length === 0 ? near : compared(behind, whole, [...of, ...position]);
    return `${from} AND ${far} ORDER BY ${ordered(whole)}`;
  };
  const listed = rowsOfIndex(source, filter);
  const links = (rows: string) =>
    `SELECT ${row} FROM links l WHERE ${[...listed, rows].join(' AND ')}`;
  const app = { columns: ['app_id', 'environment'], of: ['$1', '$2'] };

  switch (source.of) {
    case 'users':
      return values.statement(
        mergedRanges({
          keys: `SELECT u.pk AS key FROM customer_users u
                  WHERE u.app_id = $1 AND u.environment = $2 AND u.user_id = ANY(${values.add(source.users)}::text[])`,
          // The key of a user implies its app.
          rows: links(range(['customer_user_pk'], ['each.key'])),
          order: ordered(order),
          readOfEach: values.add(readOfEach(bound, source.users.length)),
        }),
      );
    case 'links': {
      const whole = order.map((column) => `l.${column}`);
      const conditions = [
        'l.link_id = permitted.link_id AND l.app_id = $1 AND l.environment = $2',
        ...listed,
        ...(since.length > 0 ? [compared('>=', whole, since)] : []),
        ...(position.length > 0 ? [compared(behind, whole, position)] : []),
      ];
      return values.statement(`
        SELECT found.* FROM (SELECT DISTINCT unnest(${values.add(source.links)}::text[]) AS link_id) AS permitted
          -- OFFSET 0: one link after another, by its id.
         CROSS JOIN LATERAL (SELECT ${row} FROM links l WHERE ${conditions.join(' AND ')} OFFSET 0) AS found
         ORDER BY ${ordered(order)} ${take()}`);
    }
    case 'tag': {
      // Only listed links have rows in it.
      const tagged = range([...app.columns, 'tag'], [...app.of, values.add(filter.tag)], {
        alias: 't',
        then: ['link_pk'],
      });
      return values.statement(`
        SELECT found.* FROM (SELECT t.link_pk FROM link_tags t WHERE ${tagged} ${take()}) AS tagged
          -- OFFSET 0: one link after another, by its key.
         CROSS JOIN LATERAL (SELECT ${row} FROM links l WHERE l.pk = tagged.link_pk OFFSET 0) AS found
         ORDER BY ${ordered(order)}`);
    }
    case 'column': {
      const of = [...app.of, values.add(filter[source.name])];
      return values.statement(`${links(range([...app.columns, source.column], of))} ${take()}`);
    }
    case 'app':
      return values.statement(`${links(range(app.columns, app.of))} ${take()}`);
  }
}

/** The condition that a row is on one side of a place in an order, of which `place` may be a part. */
function compared(
  comparison: '>=' | '>' | '<=' | '<',
  order: readonly string[],
  place: readonly string[],
): string {
  return `(${order.slice(0, place.length).join()}) ${comparison} (${place.join()})`;
}
