import type {
  CatalogInstitution,
  CatalogRequest,
  OfferedInstitution,
} from '../contract/provider.js';
import type { FdxInstitution } from './settings.js';

const domainOf = ({ url }: FdxInstitution): string | null =>
  url === null ? null : new URL(url).hostname.replace(/^www\./, '');

/** The banks of the configuration. */
export function institutionsOf(
  banks: readonly FdxInstitution[],
  environment: 'sandbox' | 'live',
): OfferedInstitution[] {
  return banks.map((bank) => ({
    institutionId: bank.remoteId,
    remoteId: bank.remoteId,
    name: bank.name,
    country: bank.country,
    domain: domainOf(bank),
    color: null,
    colorDark: null,
    isFeatured: false,
    environment,
    login: 'oauth',
    products: bank.products,
    aliases: [],
  }));
}

/** The whole list, without I/O. */
export async function* listInstitutions(
  banks: readonly FdxInstitution[],
  { countries }: CatalogRequest,
): AsyncGenerator<CatalogInstitution[]> {
  yield banks
    .filter(({ country }) => countries.includes(country))
    .map(({ remoteId, name, country, url, products }) => ({
      remoteId,
      name,
      country,
      url,
      bic: null,
      routingNumbers: [],
      logoUrl: null,
      color: null,
      login: 'redirect',
      products,
      otherNames: [],
      health: null,
    }));
}
