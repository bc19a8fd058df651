import type { Tenant } from '../../../domain/api/environment.js';
import { permittedUsers } from '../../tenants/applications/permitted-rows.js';
import { includedLinks, isUnlisted, UNLISTED_LINKS, type LinkFilter } from './link-filter.js';

/** Conditions on each row that a page reads. */
export type ConditionName = Exclude<keyof LinkFilter, 'updatedSince' | 'include'>;

/** The columns of links that an index has in front of the order of the list. */
const COLUMNS = {
  error: 'error_code',
  institutionId: 'institution_id',
  provider: 'provider',
  state: 'state',
} as const;
type ColumnName = keyof typeof COLUMNS;

/** The index that a page reads. */
export type LinkPageSource =
  /** Those of users, merged. */
  | { of: 'users'; users: readonly string[] }
  /** The few links to which a key pair is limited, by their ids. */
  | { of: 'links'; links: readonly string[] }
  | { of: 'tag' }
  /** Links of the app with one value of a column. */
  | { of: 'column'; name: ColumnName; column: (typeof COLUMNS)[ColumnName] }
  /** All links of the app. */
  | { of: 'app' };

/**
 * The most selective one of the filter. The order by update has an index of its own for users and
 * for errors, and one for all others; unlisted links have one for users and one for their states.
 */
export function sourceOf(tenant: Tenant, filter: LinkFilter): LinkPageSource {
  const { only } = tenant;
  if (only !== undefined && 'links' in only) return { of: 'links', links: only.links };
  const users = permittedUsers(tenant, filter.user);
  if (users !== undefined) return { of: 'users', users };
  const byUpdate = filter.updatedSince !== undefined;
  const isListed = includedLinks(filter).size === 0;
  if (filter.tag !== undefined && isListed && !byUpdate) return { of: 'tag' };
  const name = indexedColumns(filter, { byUpdate, isListed }).find(
    (given) => filter[given] !== undefined,
  );
  return name === undefined ? { of: 'app' } : { of: 'column', name, column: COLUMNS[name] };
}

function indexedColumns(
  { state }: LinkFilter,
  { byUpdate, isListed }: { byUpdate: boolean; isListed: boolean },
): readonly ColumnName[] {
  if (byUpdate) return ['error'];
  if (isListed) return ['error', 'institutionId', 'provider', 'state'];
  return isUnlisted(state) ? ['state'] : [];
}

const LISTED = 'l.connected_at IS NOT NULL AND l.deleted_at IS NULL';

/** The rows of the index, which PostgreSQL reads only for a statement that repeats them. */
export function rowsOfIndex(source: LinkPageSource, filter: LinkFilter): string[] {
  if (source.of === 'column' && isUnlisted(filter.state))
    return ['(l.connected_at IS NULL OR l.deleted_at IS NOT NULL)'];
  if (includedLinks(filter).size > 0) return [];
  // PostgreSQL does not conclude it from a comparison of rows.
  const isOfError = source.of === 'column' && source.name === 'error';
  return isOfError ? [LISTED, 'l.error_code IS NOT NULL'] : [LISTED];
}

/** The conditions that are checked on each row of the index. */
export function checkedConditions(source: LinkPageSource, filter: LinkFilter): ConditionName[] {
  const indexed = { users: 'user', links: undefined, tag: 'tag', app: undefined };
  const met = source.of === 'column' ? source.name : indexed[source.of];
  const names = ['user', 'tag', 'error', 'institutionId', 'provider', 'state'] as const;
  return names.filter((name) => filter[name] !== undefined && name !== met);
}

const EXCLUDED = { never_connected: 'l.connected_at IS NOT NULL', deleted: 'l.deleted_at IS NULL' };

/** The conditions on each row where only one kind of unlisted links is included. */
export function exclusions(filter: LinkFilter): string[] {
  const included = includedLinks(filter);
  if (included.size === 0) return [];
  return UNLISTED_LINKS.filter((kind) => !included.has(kind)).map((kind) => EXCLUDED[kind]);
}
