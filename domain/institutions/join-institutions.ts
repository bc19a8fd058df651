import type { ListedInstitution } from './listed-institution.js';
import { institutionSlug } from './institution-slug.js';
import { candidatesFor, type KnownInstitution } from './join-candidates.js';

export type { KnownInstitution } from './join-candidates.js';

/**
 * The way an entry of a provider's list was matched to its institution. `given`: the provider names
 * Tributary's id.
 */
export type MatchedBy = 'remote_id' | 'given' | 'bic' | 'domain' | 'new' | 'operator';

export interface JoinedEntry {
  institutionId: string;
  matchedBy: MatchedBy;
  /** Possible institutions, best first, that it was not joined with. */
  doubts: readonly string[];
}

export interface JoinRequest {
  /** One provider's list, with each remote id once, in any order. */
  entries: readonly ListedInstitution[];
  /** The institution of each remote id of this provider that was ever listed. */
  seen: ReadonlyMap<string, string>;
  /** The institutions of the same environment. */
  known: readonly KnownInstitution[];
  /** Whether an institution has, or ever had, this id. */
  isTaken: (id: string) => boolean;
}

/** The parts of a claim to be a known institution. */
interface Claim {
  entry: ListedInstitution;
  target: string;
  by: 'bic' | 'domain';
  similarity: number;
}

/**
 * The institution of every entry. A remote id that was seen before keeps its institution forever. A
 * new one is joined with the only institution of its country that has its BIC, or its domain and a
 * similar name; otherwise it is a new institution. Where several readings are possible the entry
 * stays separate, with its doubts. The order of the entries has no influence.
 */
export function joinInstitutions({
  entries,
  seen,
  known,
  isTaken,
}: JoinRequest): Map<string, JoinedEntry> {
  const joined = new Map<string, JoinedEntry>();
  const made = new Set<string>();
  const served = new Set(entries.flatMap(({ remoteId }) => seen.get(remoteId) ?? []));
  const claims: Claim[] = [];
  const rivalsFor = new Map<string, Claim[]>();
  const doubtsOf = new Map<string, readonly string[]>();
  const fresh: ListedInstitution[] = [];
  for (const entry of entries) {
    const before = seen.get(entry.remoteId);
    const { remoteId, institutionId } = entry;
    if (before !== undefined)
      joined.set(remoteId, { institutionId: before, matchedBy: 'remote_id', doubts: [] });
    else if (institutionId !== null)
      joined.set(remoteId, { institutionId, matchedBy: 'given', doubts: [] });
    else fresh.push(entry);
  }
  const find = candidatesFor(known);
  for (const entry of fresh) {
    const { target, doubts } = find(entry);
    if (target === null) {
      doubtsOf.set(entry.remoteId, doubts);
      continue;
    }
    const claim = { entry, ...target };
    claims.push(claim);
    rivalsFor.set(claim.target, [...(rivalsFor.get(claim.target) ?? []), claim]);
  }
  for (const claim of claims) {
    const { entry, target, by } = claim;
    if (!served.has(target) && isBest(claim, rivalsFor.get(target) ?? []))
      joined.set(entry.remoteId, { institutionId: target, matchedBy: by, doubts: [] });
    // A provider reaches an institution by one route: its other entries are other institutions.
    else doubtsOf.set(entry.remoteId, [target]);
  }
  for (const entry of [...fresh].sort(byRemoteId)) {
    if (joined.has(entry.remoteId)) continue;
    const institutionId = institutionSlug(entry, (id) => made.has(id) || isTaken(id));
    made.add(institutionId);
    joined.set(entry.remoteId, {
      institutionId,
      matchedBy: 'new',
      doubts: doubtsOf.get(entry.remoteId) ?? [],
    });
  }
  return joined;
}

/** Whether no other entry of the list resembles the claimed institution as much or more. */
function isBest({ entry, similarity }: Claim, rivals: readonly Claim[]): boolean {
  return rivals.every((rival) => rival.entry === entry || rival.similarity < similarity);
}

function byRemoteId(one: ListedInstitution, other: ListedInstitution): number {
  return one.remoteId < other.remoteId ? -1 : 1;
}
