import type { ListedInstitution } from './listed-institution.js';
import { nameSimilarity } from './name-similarity.js';
import { searchable } from './search-text.js';

/** An institution that an entry may be joined with. */
export interface KnownInstitution {
  institutionId: string;
  country: string;
  name: string;
  /** Registrable domains, from every provider that lists it. */
  domains: readonly string[];
  bics: readonly string[];
}

interface Candidate {
  institution: KnownInstitution;
  similarity: number;
}

export interface Candidates {
  /** The only possible institution of the entry. */
  target: { target: string; by: 'bic' | 'domain'; similarity: number } | null;
  /** Without a target: possible institutions, best first. */
  doubts: readonly string[];
}

/** The minimum similarity of two names of one institution. */
const MIN_SIMILARITY = 0.6;
const MAX_DOUBTS = 3;

/** A BIC without the branch `XXX`, which means the head office. */
export function normalBic(bic: string): string {
  return bic
    .replaceAll(/\s/g, '')
    .toUpperCase()
    .replace(/^(.{8})XXX$/, '$1');
}

/** Finds the candidates of an entry by country and BIC, domain or name, each from an index. */
export function candidatesFor(
  known: readonly KnownInstitution[],
): (entry: ListedInstitution) => Candidates {
  const byBic = indexed(known, ({ bics }) => bics.map(normalBic));
  const byDomain = indexed(known, ({ domains }) => domains);
  const byName = indexed(known, ({ name }) => [searchable(name)]);

  return (entry) => {
    const rank = (found: readonly KnownInstitution[]): Candidate[] =>
      found
        .map((institution) => ({
          institution,
          similarity: nameSimilarity(entry.name, institution.name),
        }))
        .sort(
          (a, b) =>
            b.similarity - a.similarity ||
            (a.institution.institutionId < b.institution.institutionId ? -1 : 1),
        );
    const sameBic = rank(entry.bic === null ? [] : byBic(entry.country, normalBic(entry.bic)));
    const sameDomain = rank(entry.domain === null ? [] : byDomain(entry.country, entry.domain));
    const similarAtBic = sameBic.filter(isSimilar);
    const likely = sameDomain.filter(
      (candidate) => isSimilar(candidate) && !contradicts(entry, candidate.institution),
    );
    return (
      only(sameBic, 'bic') ??
      only(similarAtBic, 'bic') ??
      doubtful(sameBic) ??
      only(likely, 'domain') ??
      doubtful(sameDomain) ??
      doubtful(
        // Banks with common names differ by their domains, if both have one.
        rank(byName(entry.country, searchable(entry.name))).filter(
          ({ institution }) => entry.domain === null || institution.domains.length === 0,
        ),
      ) ?? { target: null, doubts: [] }
    );
  };
}

function only(candidates: readonly Candidate[], by: 'bic' | 'domain'): Candidates | null {
  const [first] = candidates;
  if (first === undefined || candidates.length > 1) return null;
  const { institution, similarity } = first;
  return { target: { target: institution.institutionId, by, similarity }, doubts: [] };
}

function doubtful(candidates: readonly Candidate[]): Candidates | null {
  if (candidates.length === 0) return null;
  const ids = candidates.map(({ institution }) => institution.institutionId);
  return { target: null, doubts: ids.slice(0, MAX_DOUBTS) };
}

function isSimilar({ similarity }: Candidate): boolean {
  return similarity >= MIN_SIMILARITY;
}

/** Regional banks of one group share a domain and most of a name, but no BIC. */
function contradicts({ bic }: ListedInstitution, { bics }: KnownInstitution): boolean {
  return bic !== null && bics.length > 0 && !bics.map(normalBic).includes(normalBic(bic));
}

function indexed(
  known: readonly KnownInstitution[],
  keysOf: (institution: KnownInstitution) => readonly string[],
): (country: string, key: string) => readonly KnownInstitution[] {
  const index = new Map<string, KnownInstitution[]>();
  for (const institution of known) {
    for (const key of new Set(keysOf(institution))) {
      const place = `${institution.country} ${key}`;
      const found = index.get(place);
      if (found === undefined) index.set(place, [institution]);
      else found.push(institution);
    }
  }
  return (country, key) => index.get(`${country} ${key}`) ?? [];
}
