import type { MatchableRow } from './match-transactions.js';
import { contentOf } from '../digests/row-content.js';

/** `T1/content:…`: the id of one of the rows that share the id `T1`. */
const ID_OF_ONE = /^(.+)\/content:[\w-]{43}$/s;

/** @param content of `contentOf` */
export const idOfOne = (sharedId: string, content: string): string =>
  `${sharedId}/content:${content}`;

/** The id that a row shares with others; null = its id is its own. */
export const sharedIdOf = (id: string): string | null => ID_OF_ONE.exec(id)?.[1] ?? null;

export interface SharedIds {
  /** Fetched id → the id to store it under. */
  fetched: Map<string, string>;
  /** Stored id → its new id. */
  stored: Map<string, string>;
}

/** A row, and the id of its own that it has among those of its shared id. */
interface Member {
  row: MatchableRow;
  id: string;
}

/**
 * Finds the stored rows of fetched ones where several rows share an id, now or before. A row that is
 * listed alone has the shared id as it is; once rows have shared it, each is stored under the id of
 * its content, whether the others are listed or not.
 * @param stored all rows of the shared ids that either side has
 * @param mayLackRows whether the response is incomplete for an account: a row that it omits is not
 * another one of it, corrected
 */
export function resolveSharedIds(
  stored: readonly MatchableRow[],
  fetched: readonly MatchableRow[],
  mayLackRows: (accountId: string) => boolean,
): SharedIds {
  const resolved: SharedIds = { fetched: new Map(), stored: new Map() };
  const shared = new Set([...stored, ...fetched].flatMap(({ id }) => sharedIdOf(id) ?? []));
  if (shared.size === 0) return resolved;
  const ours = membersOf(stored, shared);
  for (const [sharedId, theirs] of membersOf(fetched, shared)) {
    for (const { row, id } of theirs) if (row.id !== id) resolved.fetched.set(row.id, id);
    const known = ours.get(sharedId) ?? [];
    const isLacking = theirs.some(({ row }) => mayLackRows(row.accountId));
    const pairs = pairsOf(known, theirs, { isLacking });
    const taken = new Set([...theirs.map(({ id }) => id), ...known.map(({ row }) => row.id)]);
    for (const { row, id } of known) {
      // One that is not listed leaves the shared id as well.
      const newId = pairs.get(row) ?? (row.id === sharedId && !taken.has(id) ? id : row.id);
      if (newId !== row.id) resolved.stored.set(row.id, newId);
    }
  }
  return resolved;
}

function membersOf(
  rows: readonly MatchableRow[],
  shared: ReadonlySet<string>,
): Map<string, Member[]> {
  const families = new Map<string, Member[]>();
  for (const row of rows) {
    const sharedId = sharedIdOf(row.id) ?? row.id;
    if (shared.has(sharedId))
      addTo(families, sharedId, { row, id: idOfOne(sharedId, digestOf(row)) });
  }
  return families;
}

const digestOf = ({ texts: [description = null, rawDescription = null], ...row }: MatchableRow) =>
  contentOf({ ...row, description, rawDescription });

interface Sign {
  of: (member: Member) => string;
  /** Of a stored row; the same by default. */
  ofStored?: (member: Member) => string;
}

/** The signs by which a fetched row is a stored one, most certain first. */
const CERTAIN: readonly Sign[] = [
  { of: ({ id }) => id, ofStored: ({ row }) => row.id },
  { of: ({ id }) => id },
];
/** A row of which only the amount was corrected, even where the other rows may be missing. */
const CORRECTED: readonly Sign[] = [
  {
    of: ({ row: { type, currency, position, texts, date } }) =>
      JSON.stringify([type, currency, position, texts, date]),
  },
];
/** A corrected row has kept its text, its amount or its day; each counts where it is unique. */
const LIKELY: readonly Sign[] = [
  {
    of: ({ row: { type, currency, position, texts } }) =>
      JSON.stringify([type, currency, position, texts]),
  },
  {
    of: ({ row: { type, currency, position, amount } }) =>
      JSON.stringify([type, currency, position, amount]),
  },
  { of: ({ row: { date } }) => date },
];
/** Further apart, equal texts and amounts are two purchases at one shop. */
const MAX_DAYS = 7;

/** @returns stored row → the id of its fetched row */
function pairsOf(
  known: readonly Member[],
  theirs: readonly Member[],
  { isLacking }: { isLacking: boolean },
): Map<MatchableRow, string> {
  const pairs = new Map<MatchableRow, string>();
  const found = new Set<Member>();
  const pair = (mine: Member, other: Member): void => {
    pairs.set(mine.row, other.id);
    found.add(other);
  };
  for (const sign of [...CERTAIN, ...CORRECTED, ...(isLacking ? [] : LIKELY)]) {
    const isCertain = CERTAIN.includes(sign);
    const ours = groupsOf(
      known.filter(({ row }) => !pairs.has(row)),
      sign.ofStored ?? sign.of,
    );
    const others = groupsOf(
      theirs.filter((each) => !found.has(each)),
      sign.of,
    );
    for (const [key, [other, ...moreOthers]] of others) {
      const [mine, ...moreOurs] = ours.get(key) ?? [];
      if (mine === undefined || other === undefined) continue;
      const isUnique = moreOthers.length + moreOurs.length === 0;
      if (isCertain || (isUnique && areNear(mine, other))) pair(mine, other);
    }
  }
  const [mine, ...moreOurs] = known;
  const [other, ...moreOthers] = theirs;
  const isSingle = moreOurs.length + moreOthers.length === 0;
  // No other row has the id on either side, so it names its row like any other id.
  if (isSingle && !isLacking && mine !== undefined && other !== undefined) pair(mine, other);
  return pairs;
}

const areNear = (one: Member, other: Member): boolean =>
  Math.abs(Date.parse(one.row.date) - Date.parse(other.row.date)) <= MAX_DAYS * 86_400_000;

function groupsOf(members: readonly Member[], keyOf: (member: Member) => string) {
  const groups = new Map<string, Member[]>();
  for (const member of members) addTo(groups, keyOf(member), member);
  return groups;
}

function addTo(groups: Map<string, Member[]>, key: string, member: Member): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [member]);
  else group.push(member);
}
