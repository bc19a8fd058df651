import type { Database } from './database.js';

/** Changes of the schema in order; a released one is never edited. */
const STEPS: readonly string[] = [
  `
  create table sandbox_bank.world (
    world_id text primary key,
    seed bigint not null,
    clock_at timestamptz,
    created_at timestamptz not null default now()
  );
  comment on column sandbox_bank.world.clock_at is 'null: the world follows real time';
  insert into sandbox_bank.world (world_id, seed) values ('default', 0);

  create table sandbox_bank.connection (
    connection_id text primary key,
    institution_id text not null,
    world_id text not null references sandbox_bank.world,
    user_name text not null default '',
    customer_reference text not null,
    idempotency_key text not null unique,
    created_at timestamptz not null default now(),
    revoked_at timestamptz
  );

  create table sandbox_bank.access_token (
    token_hash bytea primary key,
    connection_id text not null references sandbox_bank.connection on delete cascade,
    created_at timestamptz not null default now()
  );
  create index on sandbox_bank.access_token (connection_id);
  `,
];

/** Brings the bank's own schema up to date. Safe to repeat, and to run in several processes at once. */
export async function prepareSchema(database: Database): Promise<void> {
  await database.transaction(async (client) => {
    // create … if not exists is not safe against another process doing the same
    await client.query(`select pg_advisory_xact_lock(hashtextextended('sandbox_bank.schema', 0))`);
    await client.query('create schema if not exists sandbox_bank');
    await client.query(
      `create table if not exists sandbox_bank.schema_step (
         step int primary key, applied_at timestamptz not null default now())`,
    );
    const applied = await client.query<{ count: number }>('select count(*)::int as count from sandbox_bank.schema_step');
    for (const [index, statements] of STEPS.entries()) {
      if (index < (applied.rows[0]?.count ?? 0)) continue;
      await client.query(statements);
      await client.query('insert into sandbox_bank.schema_step (step) values ($1)', [index + 1]);
    }
  });
}
