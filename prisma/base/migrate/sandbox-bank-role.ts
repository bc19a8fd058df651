import { Client } from 'pg';
import { MigrationError } from './apply-migrations.js';
import { closeToOtherRoles } from './close-to-other-roles.js';

const SCHEMA = 'sandbox_bank';

/**
 * Creates the sandbox bank's role and the schema it owns; the role has no other rights in the
 * database, not even those that PostgreSQL grants to everyone. An existing schema stays as it is.
 * @throws MigrationError when the user of `databaseUrl` lacks the rights, or the role cannot log in
 */
export async function prepareSandboxBankRole(databaseUrl: string, bankUrl: string): Promise<void> {
  const { user: role = '', password } = new Client({ connectionString: bankUrl });
  if (role === new Client({ connectionString: databaseUrl }).user) {
    throw new MigrationError(
      'SANDBOX_BANK_DATABASE_URL names the user of DATABASE_URL. ' +
        'Name a different role there; it is created if it does not exist.',
    );
  }
  const client = await connectClient(databaseUrl);
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('${SCHEMA}.role', 0))`);
    await ensureRole(client, role, password ?? '');
    if (!(await hasSchema(client))) await createSchema(client, role);
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

async function hasSchema(client: Client): Promise<boolean> {
  const found = await client.query('select 1 from pg_namespace where nspname = $1', [SCHEMA]);
  return found.rowCount !== 0;
}

async function createSchema(client: Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  const {
    rows: [user],
  } = await client.query<{ is_superuser: string }>('show is_superuser');
  // Only members of a role may create objects for it; a superuser always may.
  if (user?.is_superuser !== 'on') await client.query(`grant ${name} to current_user`);
  await client.query(`create schema ${SCHEMA} authorization ${name}`);
}

async function logIn(bankUrl: string, role: string): Promise<void> {
  try {
    await (await connectClient(bankUrl)).end();
  } catch (error) {
    throw new MigrationError(
      `The role ${role} of SANDBOX_BANK_DATABASE_URL cannot log in: ` +
        `${(error as Error).message}. Correct its password there, or set it with ALTER ROLE.`,
    );
  }
}

function explain(error: unknown, role: string): unknown {
  const code = (error as { code?: unknown }).code;
  if (code !== '42501') return error;
  return new MigrationError(
    `The user of DATABASE_URL may not create the role ${role} for the sandbox ` +
      'bank. Let an administrator run CREATE ROLE … LOGIN PASSWORD … and CREATE SCHEMA sandbox_bank ' +
      'AUTHORIZATION …, and name that role in SANDBOX_BANK_DATABASE_URL.',
  );
}

/**
 * A connection whose loss rejects the statement in progress, or the next one. Without a listener, its 'error' would end the
 * process first, with the trace of an unhandled event.
 */
async function connectClient(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
