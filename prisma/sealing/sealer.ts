import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { PrismaClient } from '../generated/client.js';
import type { Tx } from '../database/tx.js';
import { bytesColumn } from '../database/bytes.js';

/**
 * A key-encryption key. The first in the list is current; the others still open what they wrapped.
 */
export interface MasterKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/**
 * The location of a sealed value, authenticated with it so that it cannot be moved to another row.
 */
export interface SealContext {
  table: string;
  column: string;
  row: string;
}

/** A row of data_keys. */
export interface WrappedKey {
  owner: string;
  masterKeyId: string;
  wrapped: Uint8Array;
}

/**
 * A sealed value cannot be opened: its key was erased, is not among MASTER_KEYS, or the row is
 * damaged.
 */
export class SealedValueUnreadable extends Error {
  override readonly name = 'SealedValueUnreadable';
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Seals columns with AES-256-GCM. Each owner (`session/<id>`, `link/<id>`, `credential/<id>`) has
 * its own data key, wrapped by a master key; erasing the data key erases everything sealed under
 * it.
 */
export class Sealer {
  private readonly current: MasterKey;

  constructor(
    private readonly masterKeys: readonly MasterKey[],
    private readonly random: (length: number) => Buffer = randomBytes,
  ) {
    const [current] = masterKeys;
    if (current === undefined) throw new Error('MASTER_KEYS must name at least one key');
    for (const { id, key } of masterKeys) {
      if (key.length !== KEY_BYTES)
        throw new Error(`the master key "${id}" must have ${KEY_BYTES} bytes`);
    }
    this.current = current;
  }

  /** Seals under the owner's data key, which is created on first use. */
  async sealUnder(tx: Tx, owner: string, at: SealContext, plain: Uint8Array): Promise<Buffer> {
    const fresh = this.random(KEY_BYTES);
    await tx.dataKey.createMany({
      data: [
        { owner, masterKeyId: this.current.id, wrapped: bytesColumn(this.wrap(owner, fresh)) },
      ],
      skipDuplicates: true,
    });
    return encrypt(await this.dataKey(tx, owner), associated(at), plain, this.random);
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
    return open(await this.dataKey(db, owner), associated(at), sealed);
  }

  /** Opens a value with a given data key row, for statements that read both. */
  openWith(dataKey: WrappedKey, at: SealContext, sealed: Uint8Array): Buffer {
    return open(this.unwrap(dataKey), associated(at), sealed);
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
    const key = this.unwrap(row);
    return sealed.map(({ at, value }) => open(key, associated(at), value));
  }

  async eraseKey(tx: Tx, owner: string): Promise<void> {
    await tx.dataKey.deleteMany({ where: { owner } });
  }

  /**
   * For the few values without an owner: signing keys and cursor keys. The id of the master key is
   * prepended.
   */
  sealWithMaster(at: SealContext, plain: Uint8Array): Buffer {
    const id = Buffer.from(this.current.id, 'utf8');
    return Buffer.concat([
      Buffer.from([id.length]),
      id,
      encrypt(this.current.key, associated(at), plain, this.random),
    ]);
  }

  openWithMaster(at: SealContext, sealed: Uint8Array): Buffer {
    const length = sealed[0] ?? 0;
    const id = Buffer.from(sealed.subarray(1, 1 + length)).toString('utf8');
    return open(this.masterKey(id).key, associated(at), sealed.subarray(1 + length));
  }

  private async dataKey(db: Tx | PrismaClient, owner: string): Promise<Buffer> {
    const row = await db.dataKey.findUnique({ where: { owner } });
    if (row === null) throw new SealedValueUnreadable(`the data key of ${owner} has been erased`);
    return this.unwrap(row);
  }

  private unwrap({ owner, masterKeyId, wrapped }: WrappedKey): Buffer {
    return open(
      this.masterKey(masterKeyId).key,
      Buffer.from(`data_keys/${owner}`, 'utf8'),
      wrapped,
    );
  }

  private wrap(owner: string, key: Buffer): Buffer {
    return encrypt(this.current.key, Buffer.from(`data_keys/${owner}`, 'utf8'), key, this.random);
  }

  private masterKey(id: string): MasterKey {
    const found = this.masterKeys.find((key) => key.id === id);
    if (found === undefined)
      throw new SealedValueUnreadable(
        `MASTER_KEYS lacks the key "${id}", which sealed rows still need`,
      );
    return found;
  }
}

function associated({ table, column, row }: SealContext): Buffer {
  return Buffer.from(`${table}/${column}/${row}`, 'utf8');
}

function open(key: Buffer, associatedData: Buffer, sealed: Uint8Array): Buffer {
  try {
    return decrypt(key, associatedData, sealed);
  } catch (cause) {
    throw new SealedValueUnreadable('a sealed value does not fit its key or its place', { cause });
  }
}

function encrypt(
  key: Buffer,
  associatedData: Buffer,
  plain: Uint8Array,
  random: (length: number) => Buffer,
): Buffer {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(associatedData);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

function decrypt(key: Buffer, associatedData: Buffer, sealed: Uint8Array): Buffer {
  // Without the length, Node also accepts tags of 4 bytes, which can be guessed.
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), options);
  decipher.setAAD(associatedData);
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
