import { createHash } from 'node:crypto';
import type { Tenant } from '../../../../domain/api/environment.js';

/** Identifies one list in its cursors: the filters stay the same while a cursor is used. */
export function listFingerprint(
  { appId, environment }: Tenant,
  filters: readonly (string | number | readonly string[] | null | undefined)[],
): string {
  return createHash('sha256')
    .update(JSON.stringify([appId, environment, ...filters.map((filter) => filter ?? null)]))
    .digest('hex')
    .slice(0, 16);
}
