import { randomBytes } from 'node:crypto';
import type { CustomData } from '../customers/custom-data.js';
import { FIRST_STEP, type LoginProgress } from './login-progress.js';
import type { Database, Row } from '../storage/database.js';
import { dateOrNullOf, textOf, textOrNullOf } from '../storage/row-values.js';

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

export interface LoginStore {
  /**
   * The login created with this key, now or earlier; null when the key was used for something else.
   */
  create(wanted: NewLogin): Promise<Login | null>;
  find(loginId: string): Promise<Login | null>;
  /** Moves a login on from a step; false when it has left that step. */
  moveOn(login: Login, progress: LoginProgress, connectionId: string | null): Promise<boolean>;
}

export function createLoginStore(database: Database): LoginStore {
  return {
    async create({
      institutionId,
      worldId,
      customerReference,
      isRelink,
      previousConnectionId,
      customData,
      idempotencyKey,
      expiresAt,
      worldTime,
    }) {
      await database.query(
        `insert into sandbox_bank.login
           (login_id, institution_id, world_id, customer_reference, is_relink, previous_connection_id, custom_data,
            idempotency_key, step, progress, expires_at, world_time)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (idempotency_key) do nothing`,
        [
          `lgn_${randomBytes(16).toString('hex')}`,
          institutionId,
          worldId,
          customerReference,
          isRelink,
          previousConnectionId,
          customData === null ? null : JSON.stringify(customData),
          idempotencyKey,
          FIRST_STEP.step,
          JSON.stringify(FIRST_STEP),
          expiresAt,
          worldTime,
        ],
      );
      const [row] = await database.query(
        `select * from sandbox_bank.login
          where idempotency_key = $1 and institution_id = $2 and world_id = $3 and customer_reference = $4 and is_relink = $5`,
        [idempotencyKey, institutionId, worldId, customerReference, isRelink],
      );
      return row === undefined ? null : toLogin(row);
    },

    async find(loginId) {
      const [row] = await database.query('select * from sandbox_bank.login where login_id = $1', [
        loginId,
      ]);
      return row === undefined ? null : toLogin(row);
    },

    async moveOn({ loginId, progress: before }, progress, connectionId) {
      const moved = await database.query(
        `update sandbox_bank.login set step = $3, progress = $4, connection_id = $5
          where login_id = $1 and step = $2 returning 1`,
        [loginId, before.step, progress.step, JSON.stringify(progress), connectionId],
      );
      return moved.length > 0;
    },
  };
}

function toLogin(row: Row): Login {
  return {
    loginId: textOf(row, 'login_id'),
    institutionId: textOf(row, 'institution_id'),
    worldId: textOf(row, 'world_id'),
    customerReference: textOf(row, 'customer_reference'),
    isRelink: row['is_relink'] === true,
    previousConnectionId: textOrNullOf(row, 'previous_connection_id'),
    customData: row['custom_data'] as CustomData | null,
    progress: toProgress(row['progress']),
    connectionId: textOrNullOf(row, 'connection_id'),
    expiresAt: dateOrNullOf(row, 'expires_at') ?? new Date(0),
    worldTime: dateOrNullOf(row, 'world_time'),
  };
}

function toProgress(stored: unknown): LoginProgress {
  const progress = stored as Omit<LoginProgress, 'askedAt'> & { askedAt: string | null };
  return { ...progress, askedAt: progress.askedAt === null ? null : new Date(progress.askedAt) };
}
