import { createHash, randomBytes } from 'node:crypto';
import type { Database, Row } from './database.js';

/** A customer's permission to read their accounts at one institution, and the world it lives in. */
export interface Connection {
  connectionId: string;
  institutionId: string;
  userName: string;
  customerReference: string;
  revoked: boolean;
  worldSeed: string;
  /** The world's own clock, or null when it follows real time. */
  worldClock: Date | null;
}

export interface NewConnection {
  institutionId: string;
  worldId: string;
  userName: string;
  customerReference: string;
  idempotencyKey: string;
}

export interface ConnectionStore {
  /** The connection made with this key, now or earlier; null when the key was used for something else. */
  create(wanted: NewConnection): Promise<string | null>;
  worldExists(worldId: string): Promise<boolean>;
  issueAccessToken(connectionId: string): Promise<string>;
  findByAccessToken(connectionId: string, accessToken: string): Promise<Connection | null>;
  revoke(connectionId: string): Promise<void>;
}

export function createConnectionStore(database: Database): ConnectionStore {
  return {
    async create({ institutionId, worldId, userName, customerReference, idempotencyKey }) {
      await database.query(
        `insert into sandbox_bank.connection
           (connection_id, institution_id, world_id, user_name, customer_reference, idempotency_key)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (idempotency_key) do nothing`,
        [`con_${randomBytes(16).toString('hex')}`, institutionId, worldId, userName, customerReference, idempotencyKey],
      );
      // a statement of its own: it must see the row of whoever inserted first
      const [existing] = await database.query(
        `select connection_id from sandbox_bank.connection
          where idempotency_key = $1 and institution_id = $2 and world_id = $3 and user_name = $4
            and customer_reference = $5 and revoked_at is null`,
        [idempotencyKey, institutionId, worldId, userName, customerReference],
      );
      return existing === undefined ? null : textOf(existing, 'connection_id');
    },

    async worldExists(worldId) {
      return (await database.query('select 1 from sandbox_bank.world where world_id = $1', [worldId])).length > 0;
    },

    async issueAccessToken(connectionId) {
      const accessToken = `at_${randomBytes(32).toString('base64url')}`;
      await database.query('insert into sandbox_bank.access_token (token_hash, connection_id) values ($1, $2)', [
        hashOf(accessToken),
        connectionId,
      ]);
      return accessToken;
    },

    async findByAccessToken(connectionId, accessToken) {
      const [row] = await database.query(
        `select c.connection_id, c.institution_id, c.user_name, c.customer_reference,
                c.revoked_at is not null as revoked, w.seed::text as world_seed, w.clock_at
           from sandbox_bank.access_token t
           join sandbox_bank.connection c using (connection_id)
           join sandbox_bank.world w using (world_id)
          where t.token_hash = $1 and c.connection_id = $2`,
        [hashOf(accessToken), connectionId],
      );
      return row === undefined ? null : toConnection(row);
    },

    async revoke(connectionId) {
      await database.query(
        'update sandbox_bank.connection set revoked_at = now() where connection_id = $1 and revoked_at is null',
        [connectionId],
      );
    },
  };
}

function toConnection(row: Row): Connection {
  return {
    connectionId: textOf(row, 'connection_id'),
    institutionId: textOf(row, 'institution_id'),
    userName: textOf(row, 'user_name'),
    customerReference: textOf(row, 'customer_reference'),
    revoked: row['revoked'] === true,
    worldSeed: textOf(row, 'world_seed'),
    worldClock: row['clock_at'] instanceof Date ? row['clock_at'] : null,
  };
}

function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`${column} is not text`);
  return value;
}

/** Access tokens are kept only as hashes: 256 random bits need no salt. */
function hashOf(accessToken: string): Buffer {
  return createHash('sha256').update(accessToken).digest();
}
