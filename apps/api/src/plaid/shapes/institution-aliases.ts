import type { Environment } from '../../../../../domain/api/environment.js';

/** Institutions used in examples and tests of Plaid's clients; Sandbox only. Source: plaid-compat 9. */
const ALIASES: Readonly<Record<string, string>> = {
  ins_109508: 'sandbox-credentials-bank',
  ins_127287: 'sandbox-oauth-bank',
};

/** The native id of an institution, and the alias if the request used one. */
export function nativeInstitution(
  id: string,
  environment: Environment,
): { institutionId: string; alias: string | null } {
  const named = environment === 'sandbox' && Object.hasOwn(ALIASES, id) ? ALIASES[id] : undefined;
  return named === undefined
    ? { institutionId: id, alias: null }
    : { institutionId: named, alias: id };
}
