import { createHash } from 'node:crypto';

/** Tokens are stored only in this form. */
export function sha256(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Bytes in the form Prisma requires: backed by a plain ArrayBuffer. */
export function bytesColumn(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}
