import { createHash, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/**
 * Hashes the secret of a key pair for storage: `sha256$hash`. The secret has 256 random bits
 * (key-pair.ts), so guessing is infeasible even with a fast hash, and neither salt nor cost is
 * needed.
 */
export function hashClientSecret(secret: string): string {
  return `sha256$${createHash('sha256').update(secret).digest('base64url')}`;
}

/**
 * Compares in constant time. Also verifies hashes of earlier releases, `scrypt$N$r$p$salt$hash`,
 * until the secret is rotated.
 * @throws when the stored text has neither form, which is a data error rather than a wrong secret
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
