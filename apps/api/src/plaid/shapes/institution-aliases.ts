import type { Environment } from '../../../../../domain/api/environment.js';
import type { Country } from '../../../../../domain/institutions/countries.js';

interface Alias {
  /** The native id of the sandbox bank that stands in for it. */
  bank: 'sandbox-credentials-bank' | 'sandbox-oauth-bank';
  /** The country that Plaid publishes for it. */
  country: Country;
}

/** The country of every sandbox bank. */
export const SANDBOX_COUNTRY: Country = 'US';

const CREDENTIALS: Alias = { bank: 'sandbox-credentials-bank', country: 'US' };
const OAUTH: Alias = { bank: 'sandbox-oauth-bank', country: 'US' };

/**
 * The institutions that examples, tests and collections of Plaid's clients name; Sandbox only. Test institutions that
 * exist only to fail are missing. Source: plaid-compat 9.
 */
export const INSTITUTION_ALIASES: Readonly<Record<string, Alias>> = {
  // Test institutions that Plaid publishes for its Sandbox.
  ins_43: { ...CREDENTIALS, country: 'CA' },
  ins_109508: CREDENTIALS,
  ins_109509: CREDENTIALS,
  ins_109510: CREDENTIALS,
  ins_109511: CREDENTIALS,
  ins_109512: CREDENTIALS,
  ins_116834: { ...OAUTH, country: 'GB' },
  ins_117181: { ...OAUTH, country: 'GB' },
  ins_117650: { ...OAUTH, country: 'GB' },
  ins_127287: OAUTH,
  ins_130016: CREDENTIALS,
  ins_132241: OAUTH,
  ins_135858: CREDENTIALS,
  // Large banks, which examples choose because they exist in every environment of Plaid.
  ins_1: CREDENTIALS,
  ins_3: CREDENTIALS,
  ins_4: CREDENTIALS,
  ins_5: CREDENTIALS,
  ins_9: CREDENTIALS,
  ins_10: CREDENTIALS,
  ins_12: CREDENTIALS,
  ins_13: CREDENTIALS,
  ins_14: CREDENTIALS,
  ins_20: CREDENTIALS,
  ins_56: CREDENTIALS,
  ins_127989: CREDENTIALS,
  ins_127991: CREDENTIALS,
};

export interface NamedInstitution {
  institutionId: string;
  /** As the request named it; null for a native id. */
  alias: string | null;
  /** Of the alias. */
  country: Country | null;
}

/** The institution that a request names by its native id or by an alias. */
export function nativeInstitution(id: string, environment: Environment): NamedInstitution {
  const named =
    environment === 'sandbox' && Object.hasOwn(INSTITUTION_ALIASES, id)
      ? INSTITUTION_ALIASES[id]
      : undefined;
  return named === undefined
    ? { institutionId: id, alias: null, country: null }
    : { institutionId: named.bank, alias: id, country: named.country };
}

/** The id under which a session reports an institution: the alias it was created with, but only for that one. */
export function reportedInstitution(institutionId: string, alias: string | null): string {
  return alias !== null && INSTITUTION_ALIASES[alias]?.bank === institutionId
    ? alias
    : institutionId;
}
