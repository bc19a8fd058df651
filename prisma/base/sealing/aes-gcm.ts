import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A source of random bytes; tests replace it. */
export type RandomSource = (length: number) => Buffer;

/** The length of every key. */
export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A sealed value cannot be opened: its key was erased or is not in MASTER_KEYS, or the row is
 * damaged.
 */
export class SealedValueUnreadable extends Error {
  override readonly name = 'SealedValueUnreadable';
}

/** Initialization vector, authentication tag and ciphertext, in this order. */
export function encrypt(
  key: Buffer,
  associatedData: Buffer,
  plain: Uint8Array,
  random: RandomSource = randomBytes,
): Buffer {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(associatedData);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/**
 * @throws SealedValueUnreadable for a different key, different associated data or a damaged value
 */
export function decrypt(key: Buffer, associatedData: Buffer, sealed: Uint8Array): Buffer {
  try {
    // Without the length, Node also accepts tags of 4 bytes, which can be guessed.
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), options);
    decipher.setAAD(associatedData);
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([
      decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
  } catch (cause) {
    throw new SealedValueUnreadable('a sealed value does not fit its key or its place', { cause });
  }
}
