import { randomBytes } from 'node:crypto';
import type { CustomData } from './custom-data.js';
import type { Database, Row } from '../storage/database.js';
import { isSeenAgain } from '../storage/last-use.js';
import { dateOrNullOf, hashOf, textOf } from '../storage/row-values.js';

/** A customer's permission to read their accounts at one institution, and the world it lives in. */
export interface Connection {
  connectionId: string;
  institutionId: string;
  worldId: string;
  userName: string;
  customerReference: string;
  accountKeys: readonly string[] | null;
  customData: CustomData | null;
  revoked: boolean;
  /** The bank itself ended it. */
  ended: boolean;
  /** In the time of its world. */
  endsAt: Date | null;
  /** How often accounts may still be listed; null = without limit. */
  listingsLeft: number | null;
  worldSeed: string;
  /** Rows written by scripts belong to it, and continue across a relink. */
  historyId: string;
}

export type NewConnection = Pick<
  Connection,
  | 'institutionId'
  | 'worldId'
  | 'userName'
  | 'customerReference'
  | 'accountKeys'
  | 'customData'
  | 'endsAt'
  | 'listingsLeft'
> & {
  idempotencyKey: string;
  /** An earlier connection of the same customer, whose changing history continues. */
  continues: string | null;
};

export interface ConnectionStore {
  /**
   * The connection created with this key, now or earlier; null when the key was used for something
   * else.
   */
  create(wanted: NewConnection): Promise<string | null>;
  issueAccessToken(connectionId: string): Promise<string>;
  findByAccessToken(connectionId: string, accessToken: string): Promise<Connection | null>;
  /** Uses up one listing of accounts; false when none remains. */
  takeListing(connectionId: string): Promise<boolean>;
  /** The customer ends the permission. */
  revoke(connectionId: string): Promise<void>;
  /** The bank ends the permission. */
  end(connectionId: string): Promise<void>;
}

export function createConnectionStore(database: Database): ConnectionStore {
  return {
    async create(wanted) {
      const { institutionId, worldId, userName, customerReference, idempotencyKey } = wanted;
      const { accountKeys, customData, endsAt, listingsLeft, continues } = wanted;
      await database.query(
        `insert into sandbox_bank.connection
           (connection_id, institution_id, world_id, user_name, customer_reference, idempotency_key,
            account_keys, custom_data, ends_at, listings_left, history_id)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce(
           (select earlier.history_id from sandbox_bank.connection earlier
             where earlier.connection_id = $11 and earlier.institution_id = $2 and earlier.world_id = $3
               and earlier.user_name = $4 and earlier.customer_reference = $5), $1)
         on conflict (idempotency_key) do nothing`,
        [
          `con_${randomBytes(16).toString('hex')}`,
          institutionId,
          worldId,
          userName,
          customerReference,
          idempotencyKey,
          accountKeys,
          customData === null ? null : JSON.stringify(customData),
          endsAt,
          listingsLeft,
          continues,
        ],
      );
      // a statement of its own: it must see the row of the process that inserted first
      const [existing] = await database.query(
        `select connection_id from sandbox_bank.connection
          where idempotency_key = $1 and institution_id = $2 and world_id = $3 and user_name = $4
            and customer_reference = $5 and revoked_at is null`,
        [idempotencyKey, institutionId, worldId, userName, customerReference],
      );
      return existing === undefined ? null : textOf(existing, 'connection_id');
    },

    async issueAccessToken(connectionId) {
      const accessToken = `at_${randomBytes(32).toString('base64url')}`;
      await database.query(
        'insert into sandbox_bank.access_token (token_hash, connection_id) values ($1, $2)',
        [hashOf(accessToken), connectionId],
      );
      return accessToken;
    },

    async findByAccessToken(connectionId, accessToken) {
      const [row] = await database.query(
        `select c.*, w.seed::text as world_seed, ${isSeenAgain('c')} as seen_again
           from sandbox_bank.access_token t
           join sandbox_bank.connection c using (connection_id)
           join sandbox_bank.world w using (world_id)
          where t.token_hash = $1 and c.connection_id = $2`,
        [hashOf(accessToken), connectionId],
      );
      if (row === undefined) return null;
      if (row['seen_again'] === true) {
        await database.query(
          'update sandbox_bank.connection set last_used_at = now() where connection_id = $1',
          [connectionId],
        );
      }
      return toConnection(row);
    },

    async takeListing(connectionId) {
      const taken = await database.query(
        `update sandbox_bank.connection set listings_left = listings_left - 1
          where connection_id = $1 and listings_left > 0 returning 1`,
        [connectionId],
      );
      return taken.length > 0;
    },

    async revoke(connectionId) {
      await database.query(
        'update sandbox_bank.connection set revoked_at = now() where connection_id = $1 and revoked_at is null',
        [connectionId],
      );
    },

    async end(connectionId) {
      await database.query(
        'update sandbox_bank.connection set ended_at = now() where connection_id = $1 and ended_at is null',
        [connectionId],
      );
    },
  };
}

function toConnection(row: Row): Connection {
  return {
    connectionId: textOf(row, 'connection_id'),
    institutionId: textOf(row, 'institution_id'),
    worldId: textOf(row, 'world_id'),
    userName: textOf(row, 'user_name'),
    customerReference: textOf(row, 'customer_reference'),
    accountKeys: Array.isArray(row['account_keys']) ? row['account_keys'].map(String) : null,
    // checked when it was received
    customData: row['custom_data'] as CustomData | null,
    revoked: row['revoked_at'] !== null,
    ended: row['ended_at'] !== null,
    endsAt: dateOrNullOf(row, 'ends_at'),
    listingsLeft: typeof row['listings_left'] === 'number' ? row['listings_left'] : null,
    worldSeed: textOf(row, 'world_seed'),
    historyId: textOf(row, 'history_id'),
  };
}
