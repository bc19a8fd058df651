import { PRODUCTS, type Product } from '../link/products.js';
import { COUNTRIES } from './countries.js';
import { ROUTE_LOGINS, type RouteLogin } from './route-login.js';

/** An institution as one provider lists it. Stored as the facts of a catalog entry. */
export interface ListedInstitution {
  /** The provider's id. */
  remoteId: string;
  /**
   * Tributary's id where the provider chooses it; null = `joinInstitutions` finds or creates it.
   */
  institutionId: string | null;
  name: string;
  /** ISO 3166-1 alpha-2, one of `countries.ts`. */
  country: string;
  /** For example `chase.com`. */
  domain: string | null;
  bic: string | null;
  routingNumbers: readonly string[];
  logoUrl: string | null;
  /** `#rrggbb`. */
  color: string | null;
  colorDark: string | null;
  isFeatured: boolean;
  login: RouteLogin;
  products: readonly Product[];
  /** Other ids of the institution. */
  aliases: readonly string[];
  /** Further names to search by; never shown. */
  otherNames: readonly string[];
  /** Null = the provider does not report it. */
  health: 'operational' | 'degraded' | 'down' | null;
}

/** A longer text is not an id or a name. */
const MAX_LENGTH = 300;

/**
 * Whether an entry can be stored and offered. Lists are long and come from elsewhere: an unusable
 * entry is skipped and does not fail the list.
 */
export function isUsable(entry: ListedInstitution): boolean {
  return (
    isText(entry.remoteId) &&
    isText(entry.name.trim()) &&
    (COUNTRIES as readonly string[]).includes(entry.country) &&
    ROUTE_LOGINS.includes(entry.login) &&
    entry.products.every((product) => PRODUCTS.includes(product)) &&
    [entry.domain, entry.bic, entry.logoUrl, ...entry.otherNames, ...entry.aliases].every(
      (text) => text === null || isStorable(text),
    )
  );
}

function isText(text: string): boolean {
  return text.length > 0 && text.length <= MAX_LENGTH && isStorable(text);
}

/** PostgreSQL stores neither NUL nor an unpaired surrogate. */
function isStorable(text: string): boolean {
  return !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);
}
