import type { Tenant } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import type { MasterSealContext } from '../../base/sealing/sealer.js';
import type { SessionLocks } from '../../base/database/session-locks.js';
import { AppUseRepository } from '../usage/app-use.repository.js';

/** Identifies one use of an idempotency key. Source: native-api 9. */
export interface IdempotentRequest extends Tenant {
  method: string;
  path: string;
  key: string;
  /** A restricted pair, which shares no keys: the outcome of another may be of other users. */
  restrictedClient?: string | undefined;
  body: Uint8Array;
}

/** The response to a call. */
export interface Outcome {
  status: number;
  body: unknown;
}

/**
 * The first use of a key. Call exactly one of `end`, `keep` and `forget`; each releases the key.
 */
export interface FirstUse {
  kind: 'first';
  /**
   * Stores the outcome in the transaction of its effect; call `end` afterwards. @throws KeyTaken
   */
  keepIn: (tx: Tx, outcome: Outcome) => Promise<void>;
  end: () => Promise<void>;
  /** Stores an outcome that had no effect. @throws KeyTaken */
  keep: (outcome: Outcome) => Promise<void>;
  /** Keeps the outcome that was stored with an effect, if any. */
  forget: () => Promise<void>;
}

/**
 * Another use of the same key finished first, which is possible after a lost lock. This use must
 * have no effect.
 */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

export type IdempotentUse =
  | FirstUse
  | { kind: 'repeat'; outcome: Outcome }
  | { kind: 'running' }
  | { kind: 'mismatch' };

interface FoundRecord {
  bodySha256: Uint8Array;
  outcome: Uint8Array | null;
}

/** The record of a use that has no outcome yet. */
interface Unfinished {
  scopeHash: Uint8Array<ArrayBuffer>;
  bodySha256: Uint8Array<ArrayBuffer>;
  outcome: null;
}

/** Source: native-api 9. */
const KEPT_MS = 24 * 3600 * 1000;

/**
 * Uses of `Idempotency-Key`. A row holds the request of the first use and its outcome, written in
 * the transaction of its effect. A session-level advisory lock marks a use as running, so a crash
 * releases it. Outcomes are sealed because some contain a token.
 */
export class IdempotencyRepository {
  private readonly use: AppUseRepository;

  constructor(
    private readonly ctx: Context,
    private readonly locks: SessionLocks,
  ) {
    this.use = new AppUseRepository(ctx);
  }

  /** @throws BoundReached */
  async begin(request: IdempotentRequest): Promise<IdempotentUse> {
    const scope = scopeOf(request);
    const bodySha256 = sha256(request.body);
    const unlock = await this.locks.tryLock(scope.readBigInt64BE(0));
    if (unlock === null) {
      const first = await this.find(scope);
      return first === null ? { kind: 'running' } : this.compare(scope, first, bodySha256);
    }
    const { database } = this.ctx;
    const unfinished = {
      scopeHash: bytesColumn(scope),
      bodySha256: bytesColumn(bodySha256),
      outcome: null,
    };
    let mine = false;
    try {
      if (!(await this.claim(scope, request, bodySha256))) {
        const earlier = await this.find(scope);
        return earlier === null
          ? { kind: 'running' }
          : await this.compare(scope, earlier, bodySha256);
      }
      await this.countFirst(request, unfinished);
      mine = true;
    } finally {
      if (!mine) await unlock();
    }
    const keepIn = async (tx: Tx, outcome: Outcome): Promise<void> => {
      const data = {
        outcome: await this.seal(scope, outcome),
        expiresAt: this.expiry(this.ctx.clock()),
      };
      const { count } = await tx.idempotencyRecord.updateMany({ where: unfinished, data });
      if (count === 0) throw new KeyTaken();
    };
    return {
      kind: 'first',
      keepIn,
      end: unlock,
      keep: (outcome) => database.transaction((tx) => keepIn(tx, outcome)).finally(unlock),
      forget: async () => {
        await this.remove(request, unfinished).finally(unlock);
      },
    };
  }

  /**
   * True for a first use: there is no row, its outcome has expired, or an earlier use ended without
   * one.
   */
  private async claim(
    scope: Buffer,
    { appId, environment }: Tenant,
    bodySha256: Buffer,
  ): Promise<boolean> {
    const now = this.ctx.clock();
    const claimed = await this.ctx.database.prisma.$executeRaw`
      INSERT INTO idempotency_records AS r (scope_hash, app_id, environment, body_sha256, expires_at, created_at)
      VALUES (${scope}, ${appId}, ${environment}, ${bodySha256}, ${this.expiry(now)}, ${now})
      ON CONFLICT (scope_hash) DO UPDATE
         SET body_sha256 = excluded.body_sha256, outcome = NULL, expires_at = excluded.expires_at, created_at = excluded.created_at
       WHERE r.outcome IS NULL OR r.expires_at <= excluded.created_at`;
    return claimed > 0;
  }

  /**
   * Counts a first use against IDEMPOTENCY_RECORDS_PER_DAY, or leaves nothing. @throws BoundReached
   */
  private async countFirst(tenant: Tenant, unfinished: Unfinished): Promise<void> {
    try {
      await this.use.take(tenant, { idempotency_records: 1 });
    } catch (error) {
      await this.ctx.database.prisma.idempotencyRecord.deleteMany({ where: unfinished });
      throw error;
    }
  }

  private async remove(tenant: Tenant, unfinished: Unfinished): Promise<void> {
    const { count } = await this.ctx.database.prisma.idempotencyRecord.deleteMany({
      where: unfinished,
    });
    if (count > 0) await this.use.release(tenant, { idempotency_records: count });
  }

  private async seal(scope: Buffer, outcome: Outcome): Promise<Uint8Array<ArrayBuffer>> {
    return bytesColumn(
      await this.ctx.sealer.sealWithMaster(
        placeOf(scope),
        Buffer.from(JSON.stringify(outcome), 'utf8'),
      ),
    );
  }

  private async find(scope: Buffer): Promise<FoundRecord | null> {
    const row = await this.ctx.database.prisma.idempotencyRecord.findUnique({
      where: { scopeHash: bytesColumn(scope) },
    });
    return row === null || row.expiresAt <= this.ctx.clock() ? null : row;
  }

  private async compare(
    scope: Buffer,
    { bodySha256, outcome }: FoundRecord,
    asked: Buffer,
  ): Promise<IdempotentUse> {
    if (!asked.equals(bodySha256)) return { kind: 'mismatch' };
    if (outcome === null) return { kind: 'running' };
    const opened = await this.ctx.sealer.openWithMaster(placeOf(scope), outcome);
    return { kind: 'repeat', outcome: JSON.parse(opened.toString('utf8')) as Outcome };
  }

  private expiry(from: Date): Date {
    return new Date(from.getTime() + KEPT_MS);
  }
}

/** Removes expired uses; returns the number of rows. */
export async function removeExpiredUses(
  { database }: Pick<Context, 'database'>,
  now: Date,
): Promise<number> {
  const { count } = await database.prisma.idempotencyRecord.deleteMany({
    where: { expiresAt: { lte: now } },
  });
  return count;
}

function scopeOf({
  appId,
  environment,
  restrictedClient,
  method,
  path,
  key,
}: IdempotentRequest): Buffer {
  const sharer = restrictedClient === undefined ? [] : [restrictedClient];
  return sha256(JSON.stringify([appId, environment, method, path, key, ...sharer]));
}

function placeOf(scope: Buffer): MasterSealContext {
  return { table: 'idempotency_records', column: 'outcome', row: scope.toString('hex') };
}
