import type {
  CatalogInstitution,
  CatalogRequest,
  OfferedInstitution,
} from '../contract/provider.js';
import type { SimplefinPublicSettings } from './settings.js';

const PRODUCTS = ['accounts', 'transactions', 'investments'] as const;

type InstitutionSettings = Pick<
  SimplefinPublicSettings,
  'server' | 'institutionName' | 'institutionDomain' | 'countries'
>;

/** Hosts of the Bridge, the server that everyone may use. */
const BRIDGE = /^(beta-)?bridge\.simplefin\.org$/;

/** A server as an institution. The same in each of its countries. */
interface ServerInstitution {
  name: string;
  domain: string;
}

/**
 * An access URL reads all banks of its user, so the server is the institution: the Bridge, or
 * another one, named by its operator or by its host.
 */
function institutionAt(settings: InstitutionSettings): ServerInstitution {
  const { host, hostname } = new URL(settings.server);
  const known = BRIDGE.test(hostname)
    ? { name: 'SimpleFIN Bridge', domain: 'simplefin.org' }
    : { name: host, domain: hostname };
  return {
    name: settings.institutionName ?? known.name,
    domain: settings.institutionDomain ?? known.domain,
  };
}

const remoteIdOf = (country: string): string => country.toLowerCase();

export const knowsInstitution = ({ countries }: InstitutionSettings, wanted: string): boolean =>
  countries.some((country) => remoteIdOf(country) === wanted);

/** @param configuration the name of the configuration, from which the ids are derived */
export function institutionsOf(
  configuration: string,
  environment: 'sandbox' | 'live',
  settings: InstitutionSettings,
): OfferedInstitution[] {
  return settings.countries.map((country) => ({
    ...institutionAt(settings),
    institutionId: `${configuration}-${remoteIdOf(country)}`,
    remoteId: remoteIdOf(country),
    country,
    color: null,
    colorDark: null,
    isFeatured: false,
    environment,
    login: 'credentials',
    products: PRODUCTS,
    aliases: [],
  }));
}

/** The whole list, without I/O. The core derives their ids from their names. */
export async function* listInstitutions(
  settings: InstitutionSettings,
  { countries }: CatalogRequest,
): AsyncGenerator<CatalogInstitution[]> {
  const { name, domain } = institutionAt(settings);
  yield settings.countries
    .filter((country) => countries.includes(country))
    .map((country) => ({
      remoteId: remoteIdOf(country),
      name,
      country,
      url: `https://${domain}`,
      bic: null,
      routingNumbers: [],
      logoUrl: null,
      color: null,
      login: 'form',
      products: PRODUCTS,
      otherNames: [],
      health: null,
    }));
}
