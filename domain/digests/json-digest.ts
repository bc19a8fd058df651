import { createHash } from 'node:crypto';

/** A digest of a value by its JSON: equal members in equal order have equal digests. */
export function jsonDigest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
