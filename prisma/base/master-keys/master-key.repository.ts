import type { Context } from '../context.js';
import { bytesColumn } from '../database/bytes.js';
import { SealedValueUnreadable } from '../sealing/aes-gcm.js';
import { countSealed, type SealedCounts } from './key-counts.js';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.js';

/** MASTER_KEYS does not match the database. The message names the key and the remedy. */
export class MasterKeysRefused extends Error {
  override readonly name = 'MasterKeysRefused';

  /** Sentences without a period. */
  constructor(
    readonly problem: string,
    readonly remedy: string,
  ) {
    super(`${problem}. ${remedy}.`);
  }
}

export interface MasterKeyUse {
  keyId: string;
  /**
   * It seals new values; or it did and now only opens them; or it has never sealed one, as a key that was just added; or
   * it is missing from MASTER_KEYS.
   */
  place: 'current' | 'older' | 'unused' | 'missing';
  /** The number of values that it seals, by table. */
  rows: Record<SealedColumn['table'], number>;
  /** The last time a process reported that it seals new values with it; null = never. */
  lastCurrentAt: Date | null;
}

/** `rows`: each ends at `MAX_SEALED`, of which one more stands for any. */
export type MasterKeyStanding = Omit<MasterKeyUse, 'rows'> & { rows: SealedCounts };

const CANARY = Buffer.from('tributary');

/** The keys in MASTER_KEYS that the database knows. */
export class MasterKeyRepository {
  /** Keys that left and that no row needs: nothing is sealed with them again. */
  private readonly unneeded = new Set<string>();

  constructor(private readonly ctx: Context) {}

  /**
   * Compares MASTER_KEYS with the database: each key must be the one that had its id before, and a
   * key that rows need must be there. Records new keys, and the current one.
   *
   * @throws MasterKeysRefused
   */
  async check(): Promise<void> {
    const { prisma } = this.ctx.database;
    const { ids, currentId } = this.ctx.sealer.masterKeys;
    const records = await prisma.masterKeyRecord.findMany();
    for (const { keyId } of records)
      if (!ids.includes(keyId) && !this.unneeded.has(keyId)) await this.refuseIfNeeded(keyId);
    for (const keyId of ids) {
      const canary = records.find((record) => record.keyId === keyId)?.canary;
      await this.openCanary(keyId, canary ?? (await this.recordKey(keyId)));
    }
    await prisma.masterKeyRecord.update({
      where: { keyId: currentId },
      data: { lastCurrentAt: this.ctx.clock() },
    });
  }

  /** Every known key with the rows it has sealed, the current one first. */
  async list(): Promise<MasterKeyUse[]> {
    const { ids } = this.ctx.sealer.masterKeys;
    const records = await this.ctx.database.prisma.masterKeyRecord.findMany({
      orderBy: { createdAt: 'desc' },
    });
    const counts = await this.countRows();
    const known = new Set([...ids, ...records.map(({ keyId }) => keyId), ...counts.keys()]);
    return [...known].map((keyId) => {
      const lastCurrentAt = records.find((record) => record.keyId === keyId)?.lastCurrentAt ?? null;
      return {
        keyId,
        place: placeOf(ids, keyId, lastCurrentAt !== null || counts.has(keyId)),
        rows: counts.get(keyId) ?? noRows(),
        lastCurrentAt,
      };
    });
  }

  /** The same with counts that end early, which cost the same at any number of rows. */
  async standing(): Promise<MasterKeyStanding[]> {
    const { ids } = this.ctx.sealer.masterKeys;
    const records = await this.ctx.database.prisma.masterKeyRecord.findMany({
      select: { keyId: true, lastCurrentAt: true },
      orderBy: { createdAt: 'desc' },
    });
    const known = [...new Set([...ids, ...records.map(({ keyId }) => keyId)])];
    const counts = await countSealed(this.ctx.database, known);
    return known.map((keyId) => {
      const lastCurrentAt = records.find((record) => record.keyId === keyId)?.lastCurrentAt ?? null;
      const rows = counts.get(keyId) ?? { data_keys: 0, signing_keys: 0, cursor_keys: 0 };
      const hasSealed = lastCurrentAt !== null || Object.values(rows).some((count) => count > 0);
      return { keyId, place: placeOf(ids, keyId, hasSealed), rows, lastCurrentAt };
    });
  }

  private async openCanary(keyId: string, canary: Uint8Array): Promise<void> {
    const { masterKeys } = this.ctx.sealer;
    try {
      await masterKeys.open(keyId, 'canaries', canaryPlace(keyId), canary);
    } catch (error) {
      if (!(error instanceof SealedValueUnreadable)) throw error;
      throw new MasterKeysRefused(
        `MASTER_KEYS has a different key under the id "${keyId}" from the one in this database`,
        'Restore that key, or give the new one a different id',
      );
    }
  }

  /** @returns the stored canary, which may come from another process */
  private async recordKey(keyId: string): Promise<Uint8Array> {
    const { prisma } = this.ctx.database;
    const { masterKeys } = this.ctx.sealer;
    const canary = await masterKeys.seal(keyId, 'canaries', canaryPlace(keyId), CANARY);
    await prisma.masterKeyRecord.createMany({
      data: [{ keyId, canary: bytesColumn(canary), createdAt: this.ctx.clock() }],
      skipDuplicates: true,
    });
    return (await prisma.masterKeyRecord.findUniqueOrThrow({ where: { keyId } })).canary;
  }

  private async refuseIfNeeded(keyId: string): Promise<void> {
    const tables: string[] = [];
    for (const { table, column, masterKeyId } of SEALED_COLUMNS) {
      const { rowCount } = await this.ctx.database.pool.query(
        `SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL AND ${masterKeyId} = $1 LIMIT 1`,
        [keyId],
      );
      if (rowCount !== 0) tables.push(table);
    }
    if (tables.length === 0) this.unneeded.add(keyId);
    else
      throw new MasterKeysRefused(
        `MASTER_KEYS lacks the key "${keyId}", which rows of ${tables.join(', ')} still need`,
        'Add it again after the current key, and run "keys master rewrap" before it leaves',
      );
  }

  private async countRows(): Promise<Map<string, MasterKeyUse['rows']>> {
    const counts = new Map<string, MasterKeyUse['rows']>();
    for (const { table, column, masterKeyId } of SEALED_COLUMNS) {
      const { rows } = await this.ctx.database.pool.query<{ key_id: string; count: number }>(
        `SELECT ${masterKeyId} AS key_id, count(*)::int AS count FROM ${table}
          WHERE ${column} IS NOT NULL GROUP BY 1`,
      );
      for (const { key_id: keyId, count } of rows)
        counts.set(keyId, { ...(counts.get(keyId) ?? noRows()), [table]: count });
    }
    return counts;
  }
}

const canaryPlace = (keyId: string): Buffer => Buffer.from(`master_keys/canary/${keyId}`, 'utf8');

function placeOf(ids: readonly string[], keyId: string, hasSealed: boolean): MasterKeyUse['place'] {
  if (keyId === ids[0]) return 'current';
  if (!ids.includes(keyId)) return 'missing';
  return hasSealed ? 'older' : 'unused';
}

function noRows(): MasterKeyUse['rows'] {
  return { data_keys: 0, signing_keys: 0, cursor_keys: 0, idempotency_records: 0 };
}
