import type { ConsoleGrant } from '../../../../prisma/operations/console/console-grant.js';

const MAX_GRANTS = 100;
const READ_ONLY = ':read';

/**
 * The grants of a claim with roles: `operator`, `app:<app id>`, each with `:read` for reading alone; a list, or text
 * with spaces. What is not recognized grants nothing.
 */
export function grantsOfClaim(claim: unknown): ConsoleGrant[] {
  const names = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return names
    .slice(0, MAX_GRANTS)
    .flatMap((name: unknown) => (typeof name === 'string' ? grantOf(name) : []));
}

function grantOf(text: string): ConsoleGrant[] {
  const isReadOnly = text.endsWith(READ_ONLY);
  const name = isReadOnly ? text.slice(0, -READ_ONLY.length) : text;
  if (name === 'operator') return [{ role: 'operator', appId: null, isReadOnly }];
  const appId = name.startsWith('app:') ? name.slice('app:'.length) : '';
  return appId === '' ? [] : [{ role: 'app', appId, isReadOnly }];
}
