import type { FetchedSecurity } from './fetched-security.js';
import { securityKeys } from './security-keys.js';

/** A stored security. */
export interface KnownSecurity extends FetchedSecurity {
  securityId: string;
  /** The security that it was found to be; null = it stands for itself. */
  mergedInto: string | null;
  /** The holding that it belongs to because nothing identifies it; null = it is identified. */
  belongsTo: string | null;
}

/** The security of a fetched one. `sameAs`: the place of an earlier fetched one. */
export type SecurityMatch =
  | { securityId: string }
  | { sameAs: number }
  /** It is identified, and not stored. */
  | 'new'
  /** Nothing identifies it: it belongs to its holding alone. */
  | 'unidentified';

/** The stored and fetched descriptions of one security. */
interface Candidate {
  match: { securityId: string } | { sameAs: number };
  /** Place in the order of age; fetched ones are the youngest. */
  age: number;
  keys: Set<string>;
}

/**
 * Finds the stored security of each fetched one by its strongest identifier. A description with
 * identifiers of two stored securities joins them, the younger into the older, unless their other
 * identifiers contradict each other: then the stronger identifier decides, which counts as a
 * conflict. Equal names never join.
 * @param known the securities of one institution, oldest first
 */
export function matchSecurities(
  known: readonly KnownSecurity[],
  fetched: readonly FetchedSecurity[],
): {
  matches: SecurityMatch[];
  merges: { from: string; into: string }[];
  conflicts: number;
} {
  const index = indexOf(known);
  const merges: { from: string; into: string }[] = [];
  let conflicts = 0;
  const matches = fetched.map((security, place): SecurityMatch => {
    const keys = securityKeys(security);
    if (keys.length === 0) return 'unidentified';
    const [strongest, ...others] = found(index, keys);
    if (strongest === undefined) {
      add(index, { match: { sameAs: place }, age: Infinity, keys: new Set() }, keys);
      return 'new';
    }
    let chosen = strongest;
    let isConflict = false;
    for (const other of others) {
      const [older, younger] = chosen.age <= other.age ? [chosen, other] : [other, chosen];
      if (contradict([...older.keys], younger.keys)) isConflict = true;
      else if ('securityId' in older.match && 'securityId' in younger.match) {
        merges.push({ from: younger.match.securityId, into: older.match.securityId });
        replace(index, younger, older);
        chosen = older;
      }
    }
    if (isConflict) conflicts += 1;
    add(index, chosen, keys);
    return chosen.match;
  });
  return { matches, merges, conflicts };
}

type Index = Map<string, Candidate>;

function indexOf(known: readonly KnownSecurity[]): Index {
  const index: Index = new Map();
  const byId = new Map(known.map((security) => [security.securityId, security]));
  const candidates = new Map<string, Candidate>();
  for (const [age, { securityId }] of known.entries())
    candidates.set(securityId, { match: { securityId }, age, keys: new Set() });
  for (const security of known) {
    const candidate = candidates.get(survivorOf(security, byId).securityId);
    if (candidate !== undefined && security.belongsTo === null)
      add(index, candidate, securityKeys(security));
  }
  return index;
}

function survivorOf(
  security: KnownSecurity,
  byId: ReadonlyMap<string, KnownSecurity>,
): KnownSecurity {
  const into = security.mergedInto === null ? undefined : byId.get(security.mergedInto);
  return into === undefined ? security : survivorOf(into, byId);
}

/** A key that two securities have stays with the older one. */
function add(index: Index, candidate: Candidate, keys: readonly string[]): void {
  for (const key of keys) {
    candidate.keys.add(key);
    if (!index.has(key)) index.set(key, candidate);
  }
}

function replace(index: Index, younger: Candidate, older: Candidate): void {
  for (const key of younger.keys) {
    older.keys.add(key);
    if (index.get(key) === younger) index.set(key, older);
  }
}

/** The securities that the keys name, strongest first, each once. */
function found(index: Index, keys: readonly string[]): Candidate[] {
  const candidates = keys.flatMap((key, place) => {
    const candidate = index.get(key);
    // The same symbol with another ISIN is another security.
    return candidate === undefined || contradict(keys.slice(0, place), candidate.keys)
      ? []
      : [candidate];
  });
  return [...new Set(candidates)];
}

/**
 * True if both have an identifier of one kind, and not the same. The institution's own ids may be
 * reissued, and a symbol may be renamed.
 */
function contradict(keys: readonly string[], others: ReadonlySet<string>): boolean {
  const kinds = new Set(keys.map(kindOf).filter((kind) => kind !== 'own' && kind !== 'symbol'));
  return [...kinds].some((kind) => {
    const ofKind = [...others].filter((key) => kindOf(key) === kind);
    return ofKind.length > 0 && !keys.some((key) => ofKind.includes(key));
  });
}

const kindOf = (key: string): string => key.slice(0, key.indexOf(':'));
