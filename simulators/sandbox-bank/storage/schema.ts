import type { Database } from './database.js';

/** Changes of the schema in order; a released one is never edited. */
const STEPS: readonly string[] = [
  `
  create table sandbox_bank.world (
    world_id text primary key,
    seed bigint not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now()
  );
  insert into sandbox_bank.world (world_id, seed) values ('default', 0);

  create table sandbox_bank.connection (
    connection_id text primary key,
    institution_id text not null,
    world_id text not null references sandbox_bank.world,
    user_name text not null default '',
    customer_reference text not null,
    idempotency_key text not null unique,
    account_keys text[],
    areas text[] not null default '{}',
    custom_data jsonb,
    listings_left int,
    history_id text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    ends_at timestamptz,
    ended_at timestamptz,
    revoked_at timestamptz
  );
  create index on sandbox_bank.connection (world_id);
  create index on sandbox_bank.connection (history_id);
  create index on sandbox_bank.connection (last_used_at);
  comment on column sandbox_bank.connection.account_keys is 'null: all accounts';
  comment on column sandbox_bank.connection.areas is 'data beyond everyday accounts that it covers';
  comment on column sandbox_bank.connection.ends_at is 'in the time of its world';
  comment on column sandbox_bank.connection.listings_left is 'null: no limit';
  comment on column sandbox_bank.connection.history_id is 'the changing history it goes on with';

  create table sandbox_bank.access_token (
    token_hash bytea primary key,
    connection_id text not null references sandbox_bank.connection on delete cascade,
    created_at timestamptz not null default now()
  );
  create index on sandbox_bank.access_token (connection_id);

  create table sandbox_bank.login (
    login_id text primary key,
    institution_id text not null,
    world_id text not null references sandbox_bank.world,
    customer_reference text not null,
    is_relink boolean not null,
    previous_connection_id text,
    custom_data jsonb,
    areas text[] not null default '{}',
    idempotency_key text not null unique,
    step int not null,
    progress jsonb not null,
    connection_id text references sandbox_bank.connection on delete cascade,
    expires_at timestamptz not null,
    world_time timestamptz
  );
  create index on sandbox_bank.login (world_id);
  create index on sandbox_bank.login (connection_id);
  create index on sandbox_bank.login (expires_at);
  comment on column sandbox_bank.login.world_time is 'what time it was in its world when it began; null: real time';

  create table sandbox_bank.changing_history (
    history_id text primary key,
    fetch_days int[] not null,
    last_fetch_key text
  );
  create table sandbox_bank.scripted_history (
    history_id text primary key,
    rows jsonb not null default '[]',
    holdings jsonb not null default '[]',
    liabilities jsonb not null default '[]'
  );
  comment on table sandbox_bank.scripted_history is 'rows and changes written by scripts, in the order they came';

  create table sandbox_bank.fault (
    fault_id text primary key,
    world_id text not null references sandbox_bank.world on delete cascade,
    institution_id text not null,
    operation text not null,
    kind text not null,
    remaining int,
    delay_seconds double precision not null,
    retry_after_seconds int,
    created_at timestamptz not null default now(),
    place bigint not null generated always as identity
  );
  create index on sandbox_bank.fault (world_id, institution_id);
  comment on column sandbox_bank.fault.remaining is 'null: until it is lifted';
  create table sandbox_bank.fault_use (
    fault_id text not null references sandbox_bank.fault on delete cascade,
    use_key text not null,
    primary key (fault_id, use_key)
  );
  comment on table sandbox_bank.fault_use is 'tries of one fetch or login are one use';

  create table sandbox_bank.oauth_record (
    model text not null,
    id_hash bytea not null,
    payload jsonb not null,
    grant_id text,
    session_uid text,
    expires_at timestamptz,
    primary key (model, id_hash)
  );
  create index on sandbox_bank.oauth_record (grant_id);
  create index on sandbox_bank.oauth_record (expires_at);
  comment on table sandbox_bank.oauth_record is 'state of the OAuth server; ids of codes and tokens only as hashes';
  create table sandbox_bank.oauth_secret (
    name text primary key,
    value jsonb not null
  );
  `,
];

/** Brings the bank's own schema up to date. Safe to repeat, and to run in several processes at once. */
export async function prepareSchema(database: Database): Promise<void> {
  await database.transaction(async (client) => {
    // checked first: even with "if not exists" the statement needs a privilege that the bank's role
    // lacks
    const found = await client.query(`select 1 from pg_namespace where nspname = 'sandbox_bank'`);
    if (found.rowCount === 0) await client.query('create schema sandbox_bank');
    await client.query(
      `create table if not exists sandbox_bank.schema_step (
         step int primary key, applied_at timestamptz not null default now())`,
    );
    // One process at a time. Of two that create the table concurrently, one fails and tries again.
    await client.query('lock table sandbox_bank.schema_step in exclusive mode');
    const applied = await client.query<{ count: number }>(
      'select count(*)::int as count from sandbox_bank.schema_step',
    );
    for (const [index, statements] of STEPS.entries()) {
      if (index < (applied.rows[0]?.count ?? 0)) continue;
      await client.query(statements);
      await client.query('insert into sandbox_bank.schema_step (step) values ($1)', [index + 1]);
    }
  });
}
