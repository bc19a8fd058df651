import type { RouteLogin } from '../../domain/institutions/route-login.js';
import type { Product } from '../../domain/link/products.js';
import type { SourceFault } from '../../domain/refresh/source-fault.js';

export type { RouteLogin } from '../../domain/institutions/route-login.js';

/** One entry of a source's list of institutions. */
export interface CatalogInstitution {
  /** The provider's id. */
  remoteId: string;
  name: string;
  /** ISO 3166-1 alpha-2, one of `domain/institutions/countries.ts`. */
  country: string;
  url: string | null;
  bic: string | null;
  routingNumbers: readonly string[];
  logoUrl: string | null;
  /** `#rrggbb`. */
  color: string | null;
  login: RouteLogin;
  products: readonly Product[];
  /** Other names to search by. */
  otherNames: readonly string[];
  health: 'operational' | 'degraded' | 'down' | null;
}

export interface CatalogRequest {
  /** Only institutions of these countries are wanted. */
  countries: readonly string[];
  /**
   * Reports unreadable data: an entry that is omitted (scope `institution`), or an optional value of
   * one (`value`). Every other entry is listed.
   */
  note(fault: SourceFault): void;
  signal: AbortSignal;
}
