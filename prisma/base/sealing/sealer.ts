import { randomBytes } from 'node:crypto';
import type { PrismaClient } from '../../generated/client.js';
import type { Tx } from '../database/tx.js';
import { bytesColumn } from '../database/bytes.js';
import {
  decrypt,
  encrypt,
  KEY_BYTES,
  SealedValueUnreadable,
  type RandomSource,
} from './aes-gcm.js';
import { keyringOf, type MasterKey, type MasterKeyring } from './master-keyring.js';

/**
 * The location of a sealed value, authenticated with it so that it cannot be moved to another row.
 */
export interface SealContext {
  table: string;
  column: string;
  row: string;
}

/**
 * The tables with a column that is sealed directly by a master key (master-keys/sealed-columns.ts).
 */
export interface MasterSealContext extends SealContext {
  table: 'signing_keys' | 'cursor_keys' | 'idempotency_records';
}

/** A row of data_keys. */
export interface WrappedKey {
  owner: string;
  masterKeyId: string;
  wrapped: Uint8Array;
}

/**
 * Seals columns with AES-256-GCM. Each owner (`session/<id>`, `link/<id>`, `credential/<id>`) has
 * its own data key, wrapped by a master key; erasing the data key erases everything sealed under
 * it.
 */
export class Sealer {
  readonly masterKeys: MasterKeyring;

  constructor(
    masterKeys: readonly MasterKey[] | MasterKeyring,
    private readonly random: RandomSource = randomBytes,
  ) {
    this.masterKeys = 'currentId' in masterKeys ? masterKeys : keyringOf(masterKeys, random);
  }

  /** Seals under the owner's data key, which is created on first use. */
  async sealUnder(tx: Tx, owner: string, at: SealContext, plain: Uint8Array): Promise<Buffer> {
    return encrypt(await this.createKey(tx, owner), placeOf(at), plain, this.random);
  }

  /** Seals several values of one owner with a single read of its data key. */
  async sealAllUnder(
    tx: Tx,
    owner: string,
    at: SealContext,
    plains: readonly Uint8Array[],
  ): Promise<Buffer[]> {
    if (plains.length === 0) return [];
    const row = await tx.dataKey.findUnique({ where: { owner } });
    const key = row === null ? await this.createKey(tx, owner) : await this.unwrap(row);
    return plains.map((plain) => encrypt(key, placeOf(at), plain, this.random));
  }

  /**
   * @throws SealedValueUnreadable when the data key was erased or the value does not belong to this
   * place
   */
  async openUnder(
    db: Tx | PrismaClient,
    owner: string,
    at: SealContext,
    sealed: Uint8Array,
  ): Promise<Buffer> {
    return decrypt(await this.dataKey(db, owner), placeOf(at), sealed);
  }

  /** Opens a value with a given data key row, for statements that read both. */
  async openWith(dataKey: WrappedKey, at: SealContext, sealed: Uint8Array): Promise<Buffer> {
    return decrypt(await this.unwrap(dataKey), placeOf(at), sealed);
  }

  /**
   * Opens several values of one owner with a single read of the data key. Returns none if the key
   * was erased.
   */
  async openAllUnder(
    db: Tx | PrismaClient,
    owner: string,
    sealed: readonly { at: SealContext; value: Uint8Array }[],
  ): Promise<Buffer[]> {
    const row = sealed.length === 0 ? null : await db.dataKey.findUnique({ where: { owner } });
    if (row === null) return [];
    const key = await this.unwrap(row);
    return sealed.map(({ at, value }) => decrypt(key, placeOf(at), value));
  }

  async eraseKey(tx: Tx, owner: string): Promise<void> {
    await tx.dataKey.deleteMany({ where: { owner } });
  }

  /** Wraps a data key again, with the current master key. @throws SealedValueUnreadable */
  async rewrap(dataKey: WrappedKey): Promise<WrappedKey> {
    return this.wrap(dataKey.owner, await this.unwrap(dataKey));
  }

  /**
   * For the few values without an owner: signing keys, cursor keys and outcomes of requests. The id
   * of the master key is prepended.
   */
  async sealWithMaster(at: MasterSealContext, plain: Uint8Array): Promise<Buffer> {
    const { currentId } = this.masterKeys;
    const id = Buffer.from(currentId, 'utf8');
    return Buffer.concat([
      Buffer.from([id.length]),
      id,
      await this.masterKeys.seal(currentId, 'columns', placeOf(at), plain),
    ]);
  }

  async openWithMaster(at: MasterSealContext, sealed: Uint8Array): Promise<Buffer> {
    const length = sealed[0] ?? 0;
    const id = Buffer.from(sealed.subarray(1, 1 + length)).toString('utf8');
    return this.masterKeys.open(id, 'columns', placeOf(at), sealed.subarray(1 + length));
  }

  /** Creates the owner's data key unless it has one, and returns the one that it has then. */
  private async createKey(tx: Tx, owner: string): Promise<Buffer> {
    const fresh = await this.wrap(owner, this.random(KEY_BYTES));
    await tx.dataKey.createMany({
      data: [{ ...fresh, wrapped: bytesColumn(fresh.wrapped) }],
      skipDuplicates: true,
    });
    return this.dataKey(tx, owner);
  }

  private async dataKey(db: Tx | PrismaClient, owner: string): Promise<Buffer> {
    const row = await db.dataKey.findUnique({ where: { owner } });
    if (row === null) throw new SealedValueUnreadable(`the data key of ${owner} has been erased`);
    return this.unwrap(row);
  }

  private unwrap({ owner, masterKeyId, wrapped }: WrappedKey): Promise<Buffer> {
    return this.masterKeys.open(masterKeyId, 'data keys', dataKeyPlace(owner), wrapped);
  }

  private async wrap(owner: string, key: Buffer): Promise<WrappedKey> {
    const { currentId } = this.masterKeys;
    const wrapped = await this.masterKeys.seal(currentId, 'data keys', dataKeyPlace(owner), key);
    return { owner, masterKeyId: currentId, wrapped };
  }
}

const dataKeyPlace = (owner: string): Buffer => Buffer.from(`data_keys/${owner}`, 'utf8');

function placeOf({ table, column, row }: SealContext): Buffer {
  return Buffer.from(`${table}/${column}/${row}`, 'utf8');
}
