import type { Client } from 'pg';

/**
 * PostgreSQL functions that everyone may call. With them, a role without any rights reaches
 * resources of the service in the same database: its advisory locks, its notifications and its
 * disk. `deploy/postgres/roles.sql` has the same list.
 */
const SHARED_FUNCTIONS = `
  select p.oid::regprocedure::text as name from pg_proc p
   where p.pronamespace = 'pg_catalog'::regnamespace
     and p.proname ~ '^(pg_(try_)?advisory_.*|pg_notify|lo_.*|loread|lowrite)$'
     and pg_has_role(p.proowner, 'USAGE')`;

/** Roles that may write a table of the service, or own one. */
const ROLES_OF_SERVICE = `
  select distinct role::regrole::text as name from (
    select (aclexplode(relacl)).grantee as role, (aclexplode(relacl)).privilege_type as privilege
      from pg_class where relnamespace = 'public'::regnamespace
    union all
    select relowner, 'INSERT' from pg_class where relnamespace = 'public'::regnamespace
    union all
    select current_user::regrole::oid, 'INSERT'
  ) rights
   where privilege = 'INSERT' and role <> 0 and role <> $1::regrole`;

/**
 * Revokes from everyone but the roles of the service: temporary tables, advisory locks, large
 * objects and `pg_notify`. Only as far as the user may: PostgreSQL's functions belong to a
 * superuser.
 * @param bank the role that must not have them
 */
export async function closeToOtherRoles(client: Client, bank: string): Promise<void> {
  const { rows: functions } = await client.query<{ name: string }>(SHARED_FUNCTIONS);
  const { rows: roles } = await client.query<{ name: string }>(ROLES_OF_SERVICE, [
    client.escapeIdentifier(bank),
  ]);
  const keepers = roles.map(({ name }) => name).join(', ');
  const list = functions.map(({ name }) => name).join(', ');
  if (list !== '') {
    await client.query(`grant execute on function ${list} to ${keepers}`);
    await client.query(`revoke execute on function ${list} from public`);
  }
  const { rows: owned } = await client.query<{ name: string }>(
    `select format('%I', datname) as name from pg_database
      where datname = current_database() and pg_has_role(datdba, 'USAGE')`,
  );
  for (const { name } of owned)
    await client.query(`revoke create, temporary on database ${name} from public`);
}
