import type { CatalogInstitution, CatalogRequest } from '../../contract/provider.js';
import type { ApiClient } from '../client/api-client.js';
import { readAspsps, type Aspsp, type PsuType } from './read-aspsps.js';
import { remoteIdOf } from './remote-id.js';

export interface CatalogParts {
  callApi: ApiClient;
  countries: readonly string[];
  psuTypes: readonly PsuType[];
}

/**
 * Owners are not included: banks return names at their discretion, and nothing else. Lists of banks
 * do not show which of them have cards, so each offers debts.
 */
const PRODUCTS = ['accounts', 'account_numbers', 'transactions', 'liabilities'] as const;

/** One page for each country that both sides list. */
export async function* listInstitutions(
  { callApi, countries, psuTypes }: CatalogParts,
  { countries: wanted, note, signal }: CatalogRequest,
): AsyncGenerator<CatalogInstitution[]> {
  for (const country of countries.filter((code) => wanted.includes(code))) {
    const aspsps = await readAspsps(callApi, { country, isLogin: false, note, signal });
    const byName = new Map<string, Aspsp>();
    for (const aspsp of aspsps.filter((each) => entryFor([each], psuTypes) !== null))
      byName.set(aspsp.name, merged(byName.get(aspsp.name), aspsp));
    yield [...byName.values()].map(toInstitution);
  }
}

/**
 * The entry of a bank through which a user of the first wanted kind logs in. Kinds that the bank
 * states are tried before those that it may accept.
 * @returns null for a bank that accepts none of the kinds
 */
export function entryFor(
  aspsps: readonly Aspsp[],
  psuTypes: readonly PsuType[],
): { aspsp: Aspsp; psuType: PsuType } | null {
  for (const psuType of psuTypes) {
    const aspsp = aspsps.find((each) => each.psuTypes.includes(psuType));
    if (aspsp !== undefined) return { aspsp, psuType };
  }
  const aspsp = aspsps.find(({ mayAcceptOthers }) => mayAcceptOthers);
  const [psuType] = psuTypes;
  return aspsp === undefined || psuType === undefined ? null : { aspsp, psuType };
}

/** Entries of one name are one institution. */
const merged = (first: Aspsp | undefined, next: Aspsp): Aspsp => ({
  ...(first ?? next),
  bic: first?.bic ?? next.bic,
  logoUrl: first?.logoUrl ?? next.logoUrl,
  group: first?.group ?? next.group,
});

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
