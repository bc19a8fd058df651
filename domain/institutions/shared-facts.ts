import type { ListedInstitution } from './listed-institution.js';
import { presentedLogin, type InstitutionLogin } from './route-login.js';
import { searchTextOf } from './search-text.js';

/** An institution as a provider lists it, with the name of the provider. */
export interface ProviderEntry {
  provider: string;
  facts: ListedInstitution;
}

/** The facts of an institution that do not depend on its provider. */
export interface SharedFacts {
  name: string;
  country: string;
  domain: string | null;
  logoUrl: string | null;
  color: string | null;
  colorDark: string | null;
  isFeatured: boolean;
  login: InstitutionLogin;
  searchText: string;
}

/**
 * The facts of an institution from the lists of all its providers: those of the most complete
 * entry, with gaps filled from the next ones. The order of the entries and of their arrival has no
 * influence. Null without entries.
 */
export function sharedFacts(entries: readonly ProviderEntry[]): SharedFacts | null {
  const ordered = [...entries].sort(byCompleteness).map(({ facts }) => facts);
  const [best] = ordered;
  if (best === undefined) return null;
  const colored = ordered.find(({ color }) => color !== null);
  const domain = ordered.find((facts) => facts.domain !== null)?.domain ?? null;
  const { name, country } = best;
  const otherNames = ordered.flatMap((facts) => [facts.name, ...facts.otherNames]);
  return {
    name,
    country,
    domain,
    logoUrl: ordered.find(({ logoUrl }) => logoUrl !== null)?.logoUrl ?? null,
    color: colored?.color ?? null,
    colorDark: colored?.colorDark ?? null,
    isFeatured: ordered.some(({ isFeatured }) => isFeatured),
    login: presentedLogin(best.login),
    searchText: searchTextOf({
      name,
      domain,
      otherNames: [...new Set(otherNames)].filter((other) => other !== name),
    }),
  };
}

function byCompleteness(one: ProviderEntry, other: ProviderEntry): number {
  return (
    completeness(other.facts) - completeness(one.facts) ||
    compare(one.provider, other.provider) ||
    compare(one.facts.remoteId, other.facts.remoteId)
  );
}

function completeness({ domain, logoUrl, color, colorDark }: ListedInstitution): number {
  return [domain, logoUrl, color, colorDark].filter((fact) => fact !== null).length;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
