import { createHash, timingSafeEqual } from 'node:crypto';

const SCHEME = 'sha256$';
/** Matches no issued secret. */
const NONE = hashClientSecret('');

/** The part of a stored secret that is compared. */
export interface HashedSecret {
  secretHash: string;
}

/**
 * Hashes the secret of a key pair for storage: `sha256$hash`. The secret has 256 random bits
 * (key-pair.ts), so guessing is infeasible even with a fast hash, and neither salt nor cost is
 * needed.
 */
export function hashClientSecret(secret: string): string {
  return `${SCHEME}${createHash('sha256').update(secret).digest('base64url')}`;
}

/**
 * Returns the stored secret that `secret` matches, else null. The time does not depend on the
 * match: each stored secret is compared in constant time, and without any a stand-in is.
 * @throws when a stored text has another form, which is a data error rather than a wrong secret
 */
export function matchingSecret<Stored extends HashedSecret>(
  secret: string,
  stored: readonly Stored[],
): Stored | null {
  const actual = Buffer.from(hashClientSecret(secret));
  if (stored.length === 0) isSame(actual, NONE);
  const matches = stored.filter(({ secretHash }) => isSame(actual, secretHash));
  return matches[0] ?? null;
}

function isSame(actual: Buffer, stored: string): boolean {
  if (!stored.startsWith(SCHEME)) throw new Error('stored client secret hash has an unknown form');
  const expected = Buffer.from(stored);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
