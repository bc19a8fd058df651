import type { CatalogueInstitution, CatalogueRequest, OfferedInstitution } from '../provider.js';

/** An access URL reads all banks of its user, so the server is the institution, once a country. */
const BRIDGES = [
  { remoteId: 'us', institutionId: 'simplefin-bridge', country: 'US' },
  { remoteId: 'ca', institutionId: 'simplefin-bridge-ca', country: 'CA' },
] as const;

const NAME = 'SimpleFIN Bridge';
const PRODUCTS = ['accounts', 'transactions'] as const;

export const knowsInstitution = (wanted: string): boolean =>
  BRIDGES.some(({ remoteId }) => remoteId === wanted);

export function institutionsOf(environment: 'sandbox' | 'live'): OfferedInstitution[] {
  return BRIDGES.map((bridge) => ({
    ...bridge,
    name: NAME,
    domain: 'simplefin.org',
    color: null,
    colorDark: null,
    isFeatured: false,
    environment,
    login: 'credentials',
    products: PRODUCTS,
    aliases: [],
  }));
}

/** The whole list, without I/O. */
export async function* listInstitutions({
  countries,
}: CatalogueRequest): AsyncGenerator<CatalogueInstitution[]> {
  yield BRIDGES.filter(({ country }) => countries.includes(country)).map(
    ({ remoteId, country }) => ({
      remoteId,
      name: NAME,
      country,
      url: 'https://www.simplefin.org',
      bic: null,
      routingNumbers: [],
      logoUrl: null,
      color: null,
      login: 'form',
      products: PRODUCTS,
      otherNames: [],
      health: null,
    }),
  );
}
