import type { Adapter, AdapterPayload } from 'oidc-provider';
import { hashOf, type Database } from '../storage/database.js';

const DAY_SECONDS = 86_400;

/**
 * The longest retention of a row. A client registers itself again. Tokens and grants are needed
 * here only while the code of their login could be used twice: the access of a token is a row of
 * `access_token`, which ends with its connection.
 */
const KEPT_SECONDS: Readonly<Record<string, number>> = {
  Client: 7 * DAY_SECONDS,
  AccessToken: DAY_SECONDS,
  Grant: DAY_SECONDS,
};

/** Keeps the state of the OAuth server in PostgreSQL, so that a restart loses nothing. One adapter for each of its models. */
export function createOAuthStorage(database: Database): (model: string) => Adapter {
  return (model) => ({
    async upsert(id, payload, expiresIn) {
      // the id of a code or token is the secret itself
      const { jti: _, ...kept } = payload;
      const seconds = Math.min(expiresIn ?? Infinity, KEPT_SECONDS[model] ?? DAY_SECONDS);
      const expiresAt = new Date(Date.now() + seconds * 1_000);
      await database.query(
        `insert into sandbox_bank.oauth_record (model, id_hash, payload, grant_id, session_uid, expires_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (model, id_hash) do update
           set payload = excluded.payload, grant_id = excluded.grant_id, session_uid = excluded.session_uid, expires_at = excluded.expires_at`,
        [
          model,
          hashOf(id),
          JSON.stringify(kept),
          payload.grantId ?? null,
          model === 'Session' ? (payload.uid ?? null) : null,
          expiresAt,
        ],
      );
      if (model === 'AccessToken') await openConnection(database, id, payload);
    },

    async find(id) {
      const [row] = await database.query<{ payload: AdapterPayload }>(
        'select payload from sandbox_bank.oauth_record where model = $1 and id_hash = $2 and (expires_at is null or expires_at > now())',
        [model, hashOf(id)],
      );
      return row === undefined ? undefined : { ...row.payload, jti: id };
    },

    /** Sessions are looked up by their cookie alone: no token of this server ends with one. */
    findByUid: () => Promise.resolve(undefined),
    /** There is no device flow. */
    findByUserCode: () => Promise.resolve(undefined),

    async consume(id) {
      await database.query(
        `update sandbox_bank.oauth_record set payload = payload || jsonb_build_object('consumed', extract(epoch from now())::int)
          where model = $1 and id_hash = $2`,
        [model, hashOf(id)],
      );
    },

    async destroy(id) {
      await database.query(
        'delete from sandbox_bank.oauth_record where model = $1 and id_hash = $2',
        [model, hashOf(id)],
      );
    },

    /** A code that is used twice revokes the grant of its first use. */
    async revokeByGrantId(grantId) {
      await database.query(
        `with gone as (delete from sandbox_bank.oauth_record where grant_id = $1 returning id_hash)
         delete from sandbox_bank.access_token t using gone where t.token_hash = gone.id_hash`,
        [grantId],
      );
    },
  });
}

/**
 * The access tokens of OAuth open connections like all others; an OAuth account is a connection.
 */
async function openConnection(
  database: Database,
  token: string,
  { accountId }: AdapterPayload,
): Promise<void> {
  await database.query(
    'insert into sandbox_bank.access_token (token_hash, connection_id) values ($1, $2) on conflict (token_hash) do nothing',
    [hashOf(token), accountId],
  );
}

/** A secret of the OAuth server, created once and the same for all processes permanently. */
export async function durableSecret<T>(
  database: Database,
  name: string,
  make: () => T | Promise<T>,
): Promise<T> {
  const read = () =>
    database.query<{ value: T }>('select value from sandbox_bank.oauth_secret where name = $1', [
      name,
    ]);
  if ((await read()).length === 0) {
    await database.query(
      'insert into sandbox_bank.oauth_secret (name, value) values ($1, $2) on conflict (name) do nothing',
      [name, JSON.stringify(await make())],
    );
  }
  const [row] = await read();
  if (row === undefined) throw new Error(`The secret ${name} was not kept.`);
  return row.value;
}
