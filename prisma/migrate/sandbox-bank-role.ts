import { Client } from 'pg';
import { MigrationError } from './apply-migrations.js';
import { closeToOtherRoles } from './close-to-other-roles.js';

const SCHEMA = 'sandbox_bank';

/**
 * Creates the sandbox bank's role and the schema it owns; the role has no other rights in the
 * database, not even those that PostgreSQL gives to everyone. Existing objects keep everything but
 * their owner.
 * @throws MigrationError when the user of `databaseUrl` lacks the rights, or the role cannot log in
 */
export async function prepareSandboxBankRole(databaseUrl: string, bankUrl: string): Promise<void> {
  const { user: role = '', password } = new Client({ connectionString: bankUrl });
  const client = new Client({ connectionString: databaseUrl });
  if (role === client.user) {
    throw new MigrationError(
      'SANDBOX_BANK_DATABASE_URL names the user of DATABASE_URL. ' +
        'Name a different role there; it is created if it does not exist.',
    );
  }
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('${SCHEMA}.role', 0))`);
    await ensureRole(client, role, password ?? '');
    if (!(await ownsSchema(client, role))) await assignSchema(client, role);
    await closeToOtherRoles(client, role);
    await client.query('commit');
  } catch (error) {
    throw explain(error, role);
  } finally {
    await client.end();
  }
  await logIn(bankUrl, role);
}

async function ensureRole(client: Client, role: string, password: string): Promise<void> {
  const found = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (found.rowCount !== 0) return;
  const name = client.escapeIdentifier(role);
  await client.query(`create role ${name} login password ${client.escapeLiteral(password)}`);
}

async function ownsSchema(client: Client, role: string): Promise<boolean> {
  const {
    rows: [row],
  } = await client.query<{ owns: boolean }>(
    `select coalesce(bool_and(owner = $2), false) as owns from (
       select nspowner::regrole::name as owner from pg_namespace where nspname = $1
       union all
       select relowner::regrole::name from pg_class
        where relnamespace = to_regnamespace($1) and relkind = 'r'
     ) owners`,
    [SCHEMA, role],
  );
  return row?.owns === true;
}

/** Transfers ownership of the schema and of tables created by an earlier version. */
async function assignSchema(client: Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  const {
    rows: [user],
  } = await client.query<{ is_superuser: string }>('show is_superuser');
  // Only members of a role may assign objects to it; a superuser always may.
  if (user?.is_superuser !== 'on') await client.query(`grant ${name} to current_user`);
  await client.query(`create schema if not exists ${SCHEMA}`);
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = to_regnamespace($1) and relkind = 'r'`,
    [SCHEMA],
  );
  await client.query(`alter schema ${SCHEMA} owner to ${name}`);
  for (const table of tables) {
    const tableName = client.escapeIdentifier(table.name);
    await client.query(`alter table ${SCHEMA}.${tableName} owner to ${name}`);
  }
}

async function logIn(bankUrl: string, role: string): Promise<void> {
  const client = new Client({ connectionString: bankUrl });
  try {
    await client.connect();
  } catch (error) {
    throw new MigrationError(
      `The role ${role} of SANDBOX_BANK_DATABASE_URL cannot log in: ` +
        `${(error as Error).message}. Correct its password there, or set it with ALTER ROLE.`,
    );
  } finally {
    await client.end();
  }
}

function explain(error: unknown, role: string): unknown {
  const code = (error as { code?: unknown }).code;
  if (code !== '42501') return error;
  return new MigrationError(
    `The user of DATABASE_URL may not make the role ${role} for the sandbox ` +
      'bank. Let an administrator run CREATE ROLE … LOGIN PASSWORD … and CREATE SCHEMA sandbox_bank ' +
      'AUTHORIZATION …, and name that role in SANDBOX_BANK_DATABASE_URL.',
  );
}
