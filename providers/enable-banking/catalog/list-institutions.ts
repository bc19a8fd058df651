import type { CatalogInstitution, CatalogRequest } from '../../contract/provider.js';
import type { ApiClient } from '../client/api-client.js';
import { readAspsps, type Aspsp, type PsuType } from './read-aspsps.js';
import { remoteIdOf } from './remote-id.js';

export interface CatalogParts {
  callApi: ApiClient;
  countries: readonly string[];
  psuTypes: readonly PsuType[];
}

/** Owners are not included: banks return names at their discretion, and nothing else. */
const PRODUCTS = ['accounts', 'account_numbers', 'transactions'] as const;

/** One page for each country that both sides list. */
export async function* listInstitutions(
  { callApi, countries, psuTypes }: CatalogParts,
  { countries: wanted, signal }: CatalogRequest,
): AsyncGenerator<CatalogInstitution[]> {
  for (const country of countries.filter((code) => wanted.includes(code))) {
    const aspsps = await readAspsps(callApi, country, { isLogin: false, signal });
    yield aspsps
      .filter((aspsp) => psuTypes.some((type) => aspsp.psuTypes.includes(type)))
      .map(toInstitution);
  }
}

export function toInstitution(aspsp: Aspsp): CatalogInstitution {
  const { name, country, bic, logoUrl, group } = aspsp;
  return {
    remoteId: remoteIdOf(aspsp),
    name,
    country,
    url: null,
    bic,
    routingNumbers: [],
    logoUrl,
    color: null,
    login: 'redirect',
    products: PRODUCTS,
    otherNames: group === null || group === name ? [] : [group],
    health: null,
  };
}
