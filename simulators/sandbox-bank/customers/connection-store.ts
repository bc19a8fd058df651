import { randomBytes } from 'node:crypto';
import type { CustomData } from './custom-data.js';
import type { DataArea } from '../institutions/data-areas.js';
import { hashOf, isSeenAgain, type Database } from '../storage/database.js';

/** A customer's permission to read their accounts at one institution, and the world it lives in. */
export interface Connection {
  connectionId: string;
  institutionId: string;
  worldId: string;
  userName: string;
  customerReference: string;
  accountKeys: readonly string[] | null;
  areas: readonly DataArea[];
  customData: CustomData | null;
  revoked: boolean;
  /** The bank itself ended it. */
  ended: boolean;
  /** In the time of its world. */
  endsAt: Date | null;
  /** Remaining listings of accounts; null = without limit. */
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
  | 'areas'
  | 'customData'
  | 'endsAt'
  | 'listingsLeft'
> & {
  idempotencyKey: string;
  /** An earlier connection of the same customer, whose changing history continues. */
  continues: string | null;
};

const COLUMNS = `c.connection_id as "connectionId", c.institution_id as "institutionId", c.world_id as "worldId",
  c.user_name as "userName", c.customer_reference as "customerReference", c.account_keys as "accountKeys",
  c.areas, c.custom_data as "customData", c.revoked_at is not null as revoked, c.ended_at is not null as ended,
  c.ends_at as "endsAt", c.listings_left as "listingsLeft", w.seed::text as "worldSeed", c.history_id as "historyId"`;

export class ConnectionStore {
  constructor(private readonly database: Database) {}

  /**
   * The connection created with this key, now or earlier; null when the key was used for something
   * else.
   */
  async create(wanted: NewConnection): Promise<string | null> {
    const { institutionId, worldId, userName, customerReference, idempotencyKey } = wanted;
    await this.database.query(
      `insert into sandbox_bank.connection
         (connection_id, institution_id, world_id, user_name, customer_reference, idempotency_key,
          account_keys, areas, custom_data, ends_at, listings_left, history_id)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, coalesce(
         (select earlier.history_id from sandbox_bank.connection earlier
           where earlier.connection_id = $12 and earlier.institution_id = $2 and earlier.world_id = $3
             and earlier.user_name = $4 and earlier.customer_reference = $5), $1)
       on conflict (idempotency_key) do nothing`,
      [
        `con_${randomBytes(16).toString('hex')}`,
        institutionId,
        worldId,
        userName,
        customerReference,
        idempotencyKey,
        wanted.accountKeys,
        wanted.areas,
        wanted.customData,
        wanted.endsAt,
        wanted.listingsLeft,
        wanted.continues,
      ],
    );
    // a statement of its own: it must see the row of the process that inserted first
    const [existing] = await this.database.query<{ connectionId: string }>(
      `select connection_id as "connectionId" from sandbox_bank.connection
        where idempotency_key = $1 and institution_id = $2 and world_id = $3 and user_name = $4
          and customer_reference = $5 and revoked_at is null`,
      [idempotencyKey, institutionId, worldId, userName, customerReference],
    );
    return existing?.connectionId ?? null;
  }

  async issueAccessToken(connectionId: string): Promise<string> {
    const accessToken = `at_${randomBytes(32).toString('base64url')}`;
    await this.database.query(
      'insert into sandbox_bank.access_token (token_hash, connection_id) values ($1, $2)',
      [hashOf(accessToken), connectionId],
    );
    return accessToken;
  }

  async findByAccessToken(connectionId: string, accessToken: string): Promise<Connection | null> {
    const [found] = await this.database.query<Connection & { seenAgain: boolean }>(
      `select ${COLUMNS}, ${isSeenAgain('c')} as "seenAgain"
         from sandbox_bank.access_token t
         join sandbox_bank.connection c using (connection_id)
         join sandbox_bank.world w using (world_id)
        where t.token_hash = $1 and c.connection_id = $2`,
      [hashOf(accessToken), connectionId],
    );
    if (found?.seenAgain === true)
      await this.database.query(
        'update sandbox_bank.connection set last_used_at = now() where connection_id = $1',
        [connectionId],
      );
    return found ?? null;
  }

  /** Uses up one listing of accounts; false when none remains. */
  async takeListing(connectionId: string): Promise<boolean> {
    const taken = await this.database.query(
      `update sandbox_bank.connection set listings_left = listings_left - 1
        where connection_id = $1 and listings_left > 0 returning 1`,
      [connectionId],
    );
    return taken.length > 0;
  }

  /** The customer ends the permission. */
  async revoke(connectionId: string): Promise<void> {
    await this.setOnce('revoked_at', connectionId);
  }

  /** The bank ends the permission. */
  async end(connectionId: string): Promise<void> {
    await this.setOnce('ended_at', connectionId);
  }

  private async setOnce(column: 'revoked_at' | 'ended_at', connectionId: string): Promise<void> {
    await this.database.query(
      `update sandbox_bank.connection set ${column} = now() where connection_id = $1 and ${column} is null`,
      [connectionId],
    );
  }
}
