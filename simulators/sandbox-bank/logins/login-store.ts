import { randomBytes } from 'node:crypto';
import type { CustomData } from '../customers/custom-data.js';
import type { DataArea } from '../institutions/data-areas.js';
import { FIRST_STEP, type LoginProgress } from './login-progress.js';
import type { Database } from '../storage/database.js';

/** A login in progress, or an ended one. */
export interface Login {
  loginId: string;
  institutionId: string;
  worldId: string;
  customerReference: string;
  /** An existing permission is repaired or extended. */
  isRelink: boolean;
  previousConnectionId: string | null;
  customData: CustomData | null;
  /** Data beyond everyday accounts that the permission is to cover. */
  areas: readonly DataArea[];
  progress: LoginProgress;
  /** Set once it was accepted. */
  connectionId: string | null;
  expiresAt: Date;
  /** The time in its world at its start; null = real time. */
  worldTime: Date | null;
}

export type NewLogin = Omit<Login, 'loginId' | 'progress' | 'connectionId'> & {
  idempotencyKey: string;
};

type StoredLogin = Omit<Login, 'progress'> & {
  progress: Omit<LoginProgress, 'askedAt'> & { askedAt: string | null };
};

const COLUMNS = `login_id as "loginId", institution_id as "institutionId", world_id as "worldId",
  customer_reference as "customerReference", is_relink as "isRelink", custom_data as "customData", areas, progress,
  previous_connection_id as "previousConnectionId", connection_id as "connectionId", expires_at as "expiresAt",
  world_time as "worldTime"`;

export class LoginStore {
  constructor(private readonly database: Database) {}

  /**
   * The login created with this key, now or earlier; null when the key was used for something else.
   */
  async create(wanted: NewLogin): Promise<Login | null> {
    const { institutionId, worldId, customerReference, isRelink, idempotencyKey } = wanted;
    await this.database.query(
      `insert into sandbox_bank.login
         (login_id, institution_id, world_id, customer_reference, is_relink, previous_connection_id, custom_data,
          areas, idempotency_key, step, progress, expires_at, world_time)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       on conflict (idempotency_key) do nothing`,
      [
        `lgn_${randomBytes(16).toString('hex')}`,
        institutionId,
        worldId,
        customerReference,
        isRelink,
        wanted.previousConnectionId,
        wanted.customData,
        wanted.areas,
        idempotencyKey,
        FIRST_STEP.step,
        FIRST_STEP,
        wanted.expiresAt,
        wanted.worldTime,
      ],
    );
    return this.findWhere(
      'idempotency_key = $1 and institution_id = $2 and world_id = $3 and customer_reference = $4 and is_relink = $5',
      [idempotencyKey, institutionId, worldId, customerReference, isRelink],
    );
  }

  find(loginId: string): Promise<Login | null> {
    return this.findWhere('login_id = $1', [loginId]);
  }

  /** Advances a login from a step; false when it has left that step. */
  async moveOn(
    { loginId, progress: before }: Login,
    progress: LoginProgress,
    connectionId: string | null,
  ): Promise<boolean> {
    const moved = await this.database.query(
      `update sandbox_bank.login set step = $3, progress = $4, connection_id = $5
        where login_id = $1 and step = $2 returning 1`,
      [loginId, before.step, progress.step, progress, connectionId],
    );
    return moved.length > 0;
  }

  private async findWhere(condition: string, values: readonly unknown[]): Promise<Login | null> {
    const [found] = await this.database.query<StoredLogin>(
      `select ${COLUMNS} from sandbox_bank.login where ${condition}`,
      values,
    );
    if (found === undefined) return null;
    const { askedAt, ...progress } = found.progress;
    return {
      ...found,
      progress: { ...progress, askedAt: askedAt === null ? null : new Date(askedAt) },
    };
  }
}
