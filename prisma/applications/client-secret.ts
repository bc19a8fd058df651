import { createHash, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/**
 * Hashes the secret of a key pair for storage: `sha256$hash`. It has 256 random bits (key-pair.ts), which cannot be
 * guessed however fast the hash is; so it needs neither a salt nor a cost.
 */
export function hashClientSecret(secret: string): string {
  return `sha256$${createHash('sha256').update(secret).digest('base64url')}`;
}

/**
 * Compares in constant time. Rows of earlier releases, `scrypt$N$r$p$salt$hash`, verify until their rotation. A stored
 * text of another form is an error of the database, not a wrong secret.
 */
export async function verifyClientSecret(secret: string, stored: string): Promise<boolean> {
  if (stored.startsWith('sha256$')) return equal(hashClientSecret(secret), stored);
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) {
    throw new Error('stored client secret hash has an unknown form');
  }
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(secret, Buffer.from(salt, 'base64url'), cost);
  return equal(actual.toString('base64url'), hash);
}

function equal(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const SCRYPT_BYTES = 32;
const derive = (secret: string, salt: Buffer, options: ScryptOptions) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(secret, salt, SCRYPT_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
