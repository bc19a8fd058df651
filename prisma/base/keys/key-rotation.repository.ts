import type { KeySet } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { addSigningKey, lockSigningKeys } from './new-signing-key.js';
import { enqueueCommand } from '../outbox/outbox.js';

export interface RotationTimes {
  /** SIGNING_KEY_LEAD: the time for which the new key is published before its first use. */
  leadMs: number;
  /** SIGNING_KEY_OVERLAP: the time for which the previous key stays published afterwards. */
  overlapMs: number;
}

export interface PublishedRotation {
  kid: string;
  /** False: an earlier call of the same rotation created the key. */
  isNew: boolean;
  /** The time at which the new key starts to sign. */
  activeFrom: Date;
  /** The time at which the last previous key leaves the published set. */
  settledAt: Date;
}

export interface ListedKey {
  keySet: KeySet;
  kid: string;
  createdAt: Date;
  activeFrom: Date;
  /** The time at which it leaves, or left, the published set; null = not planned. */
  retiredAt: Date | null;
}

/** The set at /.well-known/jwks.json. */
const PUBLISHED: KeySet = 'native';
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Rotates signing keys. The times at which each key signs and leaves are columns, so no process has
 * to act at those moments. Source: webhooks 5.
 */
export class KeyRotationRepository {
  constructor(private readonly ctx: Context) {}

  /** Publishes the next key in every existing set. A repeated rotation finds the key it created. */
  async publishNext(rotation: string, times: RotationTimes): Promise<PublishedRotation> {
    return this.ctx.database.transaction(async (tx) => {
      await lockSigningKeys(tx);
      return (await findMade(tx, rotation, times)) ?? this.addNext(tx, rotation, times);
    });
  }

  /**
   * The same, but only if the period of the Schedule has no new key yet. Null: nothing is due, so
   * the caller changes nothing.
   */
  async publishDue(
    rotation: string,
    { everyMs, ...times }: RotationTimes & { everyMs: number },
  ): Promise<PublishedRotation | null> {
    return this.ctx.database.transaction(async (tx) => {
      await lockSigningKeys(tx);
      const made = await findMade(tx, rotation, times);
      if (made !== null) return made;
      return (await this.isDue(tx, everyMs)) ? this.addNext(tx, rotation, times) : null;
    });
  }

  /** A Schedule divides time since 1970 into periods; the clocks of its server and of this process may differ. */
  private async isDue(tx: Tx, everyMs: number): Promise<boolean> {
    const now = this.ctx.clock().getTime() + Math.min(CLOCKS_DIFFER_MS, everyMs / 10);
    const periodStart = new Date(now - (now % everyMs));
    const newer = { keySet: PUBLISHED, createdAt: { gte: periodStart } };
    return (await tx.signingKey.count({ where: newer })) === 0;
  }

  /**
   * keys rotate --revoke: publishes a new key that signs immediately; all others leave the set and
   * their private parts are erased.
   */
  async revoke(rotation: string): Promise<string> {
    return this.ctx.database.transaction(async (tx) => {
      await lockSigningKeys(tx);
      const now = this.ctx.clock();
      const others = await otherSets(tx);
      await tx.signingKey.updateMany({
        where: { OR: [{ retiredAt: null }, { retiredAt: { gt: now } }] },
        data: { retiredAt: now, sealedPrivate: null },
      });
      for (const keySet of others)
        await addSigningKey(this.ctx, tx, { keySet, activeFrom: now, createdAt: now, rotation });
      return addSigningKey(this.ctx, tx, {
        keySet: PUBLISHED,
        activeFrom: now,
        createdAt: now,
        rotation,
      });
    });
  }

  /**
   * Requests a rotation from the worker, which has the settings; it happens once Temporal is
   * reachable.
   */
  async request(rotation: string): Promise<void> {
    await this.ctx.database.transaction((tx) =>
      enqueueCommand(tx, { kind: 'rotateSigningKey', rotation }),
    );
  }

  async isPublished(rotation: string): Promise<boolean> {
    return (await this.ctx.database.prisma.signingKey.count({ where: { rotation } })) > 0;
  }

  /** Erases the private parts of keys that have left the set. @returns their number */
  async eraseRetired(now: Date): Promise<number> {
    const { count } = await this.ctx.database.prisma.signingKey.updateMany({
      where: { retiredAt: { lte: now }, sealedPrivate: { not: null } },
      data: { sealedPrivate: null },
    });
    return count;
  }

  /** Keys by set, the native one first, and newest first within each. */
  async list({ limit }: { limit?: number } = {}): Promise<ListedKey[]> {
    const keys = await this.ctx.database.prisma.signingKey.findMany({
      ...(limit === undefined ? {} : { take: limit }),
      select: { keySet: true, kid: true, createdAt: true, activeFrom: true, retiredAt: true },
      orderBy: [{ keySet: 'asc' }, { activeFrom: 'desc' }, { kid: 'asc' }],
    });
    return keys.map(({ keySet, ...key }) => ({ keySet: keySet as KeySet, ...key }));
  }

  private async addNext(
    tx: Tx,
    rotation: string,
    { leadMs, overlapMs }: RotationTimes,
  ): Promise<PublishedRotation> {
    const now = this.ctx.clock();
    const activeFrom = new Date(now.getTime() + leadMs);
    // webhooks 5: two rotations within the overlap leave more than two keys in the set; each stays
    // for its full time.
    await tx.signingKey.updateMany({
      where: { retiredAt: null },
      data: { retiredAt: settled(activeFrom, overlapMs) },
    });
    for (const keySet of await otherSets(tx))
      await addSigningKey(this.ctx, tx, { keySet, activeFrom, createdAt: now, rotation });
    const kid = await addSigningKey(this.ctx, tx, {
      keySet: PUBLISHED,
      activeFrom,
      createdAt: now,
      rotation,
    });
    await tx.operatorAction.createMany({
      data: [
        {
          actor: 'service',
          action: 'rotate_signing_key',
          subject: kid,
          outcome: 'succeeded',
          createdAt: now,
        },
      ],
    });
    return { kid, isNew: true, activeFrom, settledAt: settled(activeFrom, overlapMs) };
  }
}

const settled = (activeFrom: Date, overlapMs: number) => new Date(activeFrom.getTime() + overlapMs);

/** The key that an earlier call of a rotation published. */
async function findMade(
  tx: Tx,
  rotation: string,
  { overlapMs }: RotationTimes,
): Promise<PublishedRotation | null> {
  const made = await tx.signingKey.findUnique({
    where: { keySet_rotation: { keySet: PUBLISHED, rotation } },
    select: { kid: true, activeFrom: true },
  });
  return made && { ...made, isNew: false, settledAt: settled(made.activeFrom, overlapMs) };
}

/** The other sets that have keys. */
async function otherSets(tx: Tx): Promise<KeySet[]> {
  const sets = await tx.signingKey.findMany({
    where: { keySet: { not: PUBLISHED } },
    distinct: ['keySet'],
    select: { keySet: true },
  });
  return sets.map(({ keySet }) => keySet as KeySet);
}
