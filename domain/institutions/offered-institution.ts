import type { Environment } from '../api/environment.js';
import type { Product } from '../link/products.js';
import type { ListedInstitution } from './listed-institution.js';
import type { InstitutionLogin, RouteLogin } from './route-login.js';

/** An institution built into a provider's adapter, under an id that the provider chooses. */
export interface OfferedInstitution {
  institutionId: string;
  remoteId: string;
  name: string;
  country: string;
  domain: string | null;
  color: string | null;
  colorDark: string | null;
  isFeatured: boolean;
  environment: Environment;
  login: InstitutionLogin;
  products: readonly Product[];
  aliases: readonly string[];
  /** Other names to search by. */
  otherNames?: readonly string[];
  /** Its logo, as a square PNG in base64; missing = it has none. */
  logo?: string;
}

const ROUTE_LOGIN: Readonly<Record<InstitutionLogin, RouteLogin>> = {
  credentials: 'form',
  oauth: 'redirect',
  none: 'none',
};

/** The same institution as an entry of a list. */
export function offeredEntry({
  environment: _,
  login,
  otherNames = [],
  logo,
  ...same
}: OfferedInstitution): ListedInstitution {
  return {
    ...same,
    login: ROUTE_LOGIN[login],
    otherNames,
    bic: null,
    routingNumbers: [],
    logoUrl: logo === undefined ? null : builtInLogo(same.institutionId),
    health: null,
  };
}

/** The address of a logo that is built into an adapter, which nothing fetches. */
export const builtInLogo = (institutionId: string): string => `built-in:${institutionId}`;
