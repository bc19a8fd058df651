import type { Tenant } from '../../domain/api/environment.js';
import { permitsLink } from '../../domain/api/restriction.js';
import type { Values } from '../database/statement.js';
import type { Tx } from '../database/tx.js';
import type { Prisma } from '../generated/client.js';

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

/** Whether a caller may reach a link that was read without its user. */
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

/** The condition that a row `l` of links is permitted, for SQL; none for an unrestricted caller. */
export function linkConditions(tenant: Tenant, values: Values): string[] {
  const { only } = tenant;
  if (only === undefined) return [];
  return 'users' in only
    ? [`l.customer_user_pk = ANY(ARRAY(${userKeys(tenant, only.users, values)}))`]
    : [`l.link_id = ANY(${values.add(only.links)}::text[])`];
}

/** The same for a row `s` of link_sessions. */
export function sessionConditions(tenant: Tenant, values: Values): string[] {
  const { only } = tenant;
  if (only === undefined) return [];
  if ('users' in only)
    return [`s.customer_user_pk = ANY(ARRAY(${userKeys(tenant, only.users, values)}))`];
  const links = `${values.add(only.links)}::text[]`;
  return [
    `(s.existing_link_id = ANY(${links})
      OR s.link_pk = ANY(ARRAY(SELECT l.pk FROM links l WHERE l.link_id = ANY(${links}))))`,
  ];
}

/** The same for a row `e` of webhook_events, whose link_id names a link or a session. */
export function eventConditions(tenant: Tenant, values: Values): string[] {
  const { only } = tenant;
  if (only === undefined) return [];
  if ('links' in only) return [`e.link_id = ANY(${values.add(only.links)}::text[])`];
  const users = userKeys(tenant, only.users, values);
  return [
    `e.link_id = ANY(ARRAY(
       SELECT l.link_id FROM links l WHERE l.customer_user_pk IN (${users})
       UNION ALL SELECT s.session_id FROM link_sessions s WHERE s.customer_user_pk IN (${users})))`,
  ];
}

function userKeys(
  { appId, environment }: Tenant,
  users: readonly string[],
  values: Values,
): string {
  return `SELECT u.pk FROM customer_users u WHERE u.app_id = ${values.add(appId)}
    AND u.environment = ${values.add(environment)} AND u.user_id = ANY(${values.add(users)}::text[])`;
}
