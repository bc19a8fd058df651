import { hkdfSync, randomBytes } from 'node:crypto';
import {
  decrypt,
  encrypt,
  KEY_BYTES,
  SealedValueUnreadable,
  type RandomSource,
} from './aes-gcm.js';

/**
 * A key-encryption key. The first in the list is current; the others still open the values that
 * they sealed.
 */
export interface MasterKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** The purpose of a master key. Each purpose has its own key, derived from the master key. */
export type SealingPurpose = 'data keys' | 'columns' | 'canaries';

/**
 * The master keys, without their bytes: a key management service can implement this interface,
 * because nothing outside needs the bytes of a key.
 */
export interface MasterKeyring {
  /** The key that seals new values. */
  readonly currentId: string;
  /** Every key that can open values, the current one first. */
  readonly ids: readonly string[];
  seal(id: string, purpose: SealingPurpose, place: Buffer, plain: Uint8Array): Promise<Buffer>;
  /**
   * @throws SealedValueUnreadable when there is no such key, or the value belongs to another place
   */
  open(id: string, purpose: SealingPurpose, place: Buffer, sealed: Uint8Array): Promise<Buffer>;
}

const PURPOSES: readonly SealingPurpose[] = ['data keys', 'columns', 'canaries'];

/** The keys of MASTER_KEYS, held in memory. */
export function keyringOf(
  masterKeys: readonly MasterKey[],
  random: RandomSource = randomBytes,
): MasterKeyring {
  const [current] = masterKeys;
  if (current === undefined) throw new Error('MASTER_KEYS must name at least one key');
  for (const { id, key } of masterKeys) {
    if (key.length !== KEY_BYTES)
      throw new Error(`the master key "${id}" must have ${KEY_BYTES} bytes`);
  }
  const derived = new Map(
    masterKeys.flatMap(({ id, key }) =>
      PURPOSES.map((purpose) => [`${purpose}/${id}`, derive(key, purpose)] as const),
    ),
  );
  const find = (id: string, purpose: SealingPurpose): Buffer => {
    const key = derived.get(`${purpose}/${id}`);
    if (key === undefined)
      throw new SealedValueUnreadable(
        `MASTER_KEYS lacks the key "${id}", which sealed rows still need`,
      );
    return key;
  };
  return {
    currentId: current.id,
    ids: masterKeys.map(({ id }) => id),
    seal: async (id, purpose, place, plain) => encrypt(find(id, purpose), place, plain, random),
    open: async (id, purpose, place, sealed) => decrypt(find(id, purpose), place, sealed),
  };
}

/** Changing the label makes every sealed value unreadable. */
const derive = (key: Buffer, purpose: SealingPurpose): Buffer =>
  Buffer.from(
    hkdfSync('sha256', key, Buffer.alloc(0), `tributary ${purpose}, version 1`, KEY_BYTES),
  );
