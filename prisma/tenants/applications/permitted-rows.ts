import type { Tenant } from '../../../domain/api/environment.js';
import { permitsLink } from '../../../domain/api/restriction.js';
import type { Values } from '../../base/database/statement.js';
import type { Tx } from '../../base/database/tx.js';
import type { Prisma } from '../../generated/client.js';

/** The links of a tenant that a caller may reach, for look-ups by Prisma. */
export function permittedLinks({ appId, environment, only }: Tenant): Prisma.LinkWhereInput {
  if (only === undefined) return { appId, environment };
  return 'users' in only
    ? { appId, environment, customerUser: { userId: { in: [...only.users] } } }
    : { appId, environment, linkId: { in: [...only.links] } };
}

/** The sessions of a tenant that a caller may reach: of its users, or for its links. */
export function permittedSessions({
  appId,
  environment,
  only,
}: Tenant): Prisma.LinkSessionWhereInput {
  if (only === undefined) return { appId, environment };
  if ('users' in only)
    return { appId, environment, customerUser: { userId: { in: [...only.users] } } };
  const linkIds = { in: [...only.links] };
  return {
    appId,
    environment,
    OR: [{ existingLinkId: linkIds }, { link: { linkId: linkIds } }],
  };
}

/** True if a caller may reach a link that was read without its user. */
export async function isPermitted(
  tx: Tx,
  tenant: Tenant,
  { linkId, customerUserPk: pk }: { linkId: string; customerUserPk: bigint },
): Promise<boolean> {
  if (tenant.only === undefined) return true;
  const { userId } = await tx.customerUser.findUniqueOrThrow({
    where: { pk },
    select: { userId: true },
  });
  return permitsLink(tenant, { linkId, customerUserId: userId });
}

/**
 * The users whose rows a list may hold, of those that its filter names; undefined = all users of the
 * app.
 */
export function permittedUsers(
  { only }: Tenant,
  named: string | undefined,
): readonly string[] | undefined {
  const permitted = only !== undefined && 'users' in only ? only.users : undefined;
  if (named === undefined) return permitted;
  return permitted === undefined || permitted.includes(named) ? [named] : [];
}

/**
 * The condition that a row `e` of webhook_events is permitted, for SQL; none for an unrestricted
 * caller. Its link_id names a link or a session.
 */
export function eventConditions(tenant: Tenant, values: Values): string[] {
  const subjects = eventSubjects(tenant, values);
  return subjects === undefined ? [] : [`e.link_id = ANY(ARRAY(${subjects}))`];
}

/**
 * A query of what the events of a caller are about, in a column `key`: ids of links and sessions.
 * Undefined for an unrestricted caller.
 */
export function eventSubjects(tenant: Tenant, values: Values): string | undefined {
  const { only } = tenant;
  if (only === undefined) return undefined;
  if ('links' in only)
    return `SELECT DISTINCT named.key FROM unnest(${values.add(only.links)}::text[]) AS named(key)`;
  const users = userKeys(tenant, only.users, values);
  return `SELECT l.link_id AS key FROM links l WHERE l.customer_user_pk IN (${users})
    UNION ALL SELECT s.session_id FROM link_sessions s WHERE s.customer_user_pk IN (${users})`;
}

/** A query of the keys of users, in a column `key`. */
export function userKeys(
  { appId, environment }: Tenant,
  users: readonly string[],
  values: Values,
): string {
  return `SELECT u.pk AS key FROM customer_users u WHERE u.app_id = ${values.add(appId)}
    AND u.environment = ${values.add(environment)} AND u.user_id = ANY(${values.add(users)}::text[])`;
}

/** The same for links that the tenant may reach. */
export function linkKeys(tenant: Tenant, links: readonly string[], values: Values): string {
  const { appId, environment, only } = tenant;
  const owned =
    only !== undefined && 'users' in only
      ? ` AND l.customer_user_pk IN (${userKeys(tenant, only.users, values)})`
      : '';
  return `SELECT l.pk AS key FROM links l WHERE l.link_id = ANY(${values.add(links)}::text[])
    AND l.app_id = ${values.add(appId)} AND l.environment = ${values.add(environment)}${owned}`;
}
