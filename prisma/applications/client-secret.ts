import { createHash, timingSafeEqual } from 'node:crypto';

const SCHEME = 'sha256$';

/**
 * Hashes the secret of a key pair for storage: `sha256$hash`. The secret has 256 random bits
 * (key-pair.ts), so guessing is infeasible even with a fast hash, and neither salt nor cost is
 * needed.
 */
export function hashClientSecret(secret: string): string {
  return `${SCHEME}${createHash('sha256').update(secret).digest('base64url')}`;
}

/**
 * Compares in constant time.
 * @throws when the stored text has another form, which is a data error rather than a wrong secret
 */
export function verifyClientSecret(secret: string, stored: string): boolean {
  if (!stored.startsWith(SCHEME)) throw new Error('stored client secret hash has an unknown form');
  const [actual, expected] = [Buffer.from(hashClientSecret(secret)), Buffer.from(stored)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
