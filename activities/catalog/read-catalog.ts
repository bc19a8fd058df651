import { parseUrl } from '../../domain/addresses/parse-url.js';
import { COUNTRIES } from '../../domain/institutions/countries.js';
import { isUsable, type ListedInstitution } from '../../domain/institutions/listed-institution.js';
import { offeredEntry } from '../../domain/institutions/offered-institution.js';
import { registrableDomain } from '../../domain/institutions/registrable-domain.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type {
  CatalogInstitution,
  CatalogRequest,
  Provider,
} from '../../providers/contract/provider.js';

/** Ten times the largest known list. A longer one is treated as endless. */
const MAX_ENTRIES = 200_000;
const COLOR = /^#[0-9a-f]{6}$/i;

/**
 * Reads the whole list of a provider, or uses the list built into its adapter. Skips unusable
 * entries and counts them.
 * @throws ProviderFailure when the list is too long
 */
export async function readCatalog(
  provider: Pick<Provider, 'institutions' | 'listInstitutions'>,
  {
    note,
    signal,
    onRead = () => undefined,
  }: Pick<CatalogRequest, 'note' | 'signal'> & { onRead?: (entries: number) => void },
): Promise<{ entries: ListedInstitution[]; ignored: number }> {
  if (provider.listInstitutions === undefined)
    return { entries: provider.institutions().map(offeredEntry), ignored: 0 };
  const entries: ListedInstitution[] = [];
  let ignored = 0;
  for await (const page of provider.listInstitutions({ countries: COUNTRIES, note, signal })) {
    signal.throwIfAborted();
    for (const institution of page) {
      const entry = listedInstitution(institution);
      if (isUsable(entry)) entries.push(entry);
      else ignored += 1;
    }
    onRead(entries.length + ignored);
    if (entries.length + ignored > MAX_ENTRIES)
      throw new ProviderFailure('malformed', 'the list of institutions is endless');
  }
  signal.throwIfAborted();
  return { entries, ignored };
}

function listedInstitution(institution: CatalogInstitution): ListedInstitution {
  const { remoteId, name, country, url, bic, logoUrl, color, login, products, health } =
    institution;
  return {
    remoteId,
    institutionId: null,
    name: name.trim(),
    country,
    domain: url === null ? null : registrableDomain(url),
    bic,
    // Sources list sets in any order. Sorting them keeps the entry of an equal set unchanged.
    routingNumbers: [...institution.routingNumbers].sort(),
    logoUrl: logoUrl !== null && isHttps(logoUrl) ? logoUrl : null,
    color: color !== null && COLOR.test(color) ? color.toLowerCase() : null,
    colorDark: null,
    isFeatured: false,
    login,
    products: [...products].sort(),
    aliases: [],
    otherNames: [...new Set(institution.otherNames)].sort(),
    health,
  };
}

/** The service reads a copy from this address; browsers never load it. */
function isHttps(address: string): boolean {
  return parseUrl(address)?.protocol === 'https:';
}
