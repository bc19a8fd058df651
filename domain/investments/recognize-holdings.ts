import type { Decimal } from 'decimal.js';
import type { FetchedHolding } from './fetched-holding.js';

/** A stored holding. */
export interface KnownHolding {
  holdingId: string;
  providerHoldingId: string | null;
  /** Null = nothing identifies its security, which belongs to it alone. */
  securityId: string | null;
  /** The name of its security. */
  name: string | null;
  acquiredOn: string | null;
  contributionSource: string | null;
  subAccount: string | null;
  quantity: Decimal;
  costReported: string | null;
  /** Its place in the last list. */
  place: number;
}

/** The fields by which holdings are compared. */
interface Position extends Omit<KnownHolding, 'holdingId'> {
  holdingId: string | null;
}

interface Rule {
  name: string;
  /** Texts that are equal on both sides; null = the rule does not apply. */
  equal: (position: Position) => readonly (string | null)[] | null;
  appliesTo?: (known: Position, fetched: Position) => boolean;
}

const subjectOf = ({ securityId, name }: Position) =>
  securityId === null ? `named ${name ?? ''}` : `security ${securityId}`;
const sideOf = ({ quantity }: Position) => (quantity.isNegative() ? 'short' : 'long');
const quantityOf = ({ quantity }: Position) => quantity.toFixed();
const lotOf = (position: Position) => [
  subjectOf(position),
  sideOf(position),
  position.acquiredOn,
  position.contributionSource,
  position.subAccount,
];

/** True if no field that both sides know differs. */
function mayBeOneLot(known: Position, fetched: Position): boolean {
  return (['acquiredOn', 'contributionSource', 'subAccount'] as const).every(
    (field) => known[field] === null || fetched[field] === null || known[field] === fetched[field],
  );
}

/** An identifier that appears or disappears does not make another security of it. */
const mayBeOneSecurity = (known: Position, fetched: Position): boolean =>
  known.securityId === null ||
  fetched.securityId === null ||
  known.securityId === fetched.securityId;

const idOf = ({ providerHoldingId }: Position, ...more: (string | null)[]) =>
  providerHoldingId === null ? null : [providerHoldingId, ...more];

/** Most certain first; each applies to what the earlier ones left. Source: native-api 3.13. */
const RULES: readonly Rule[] = [
  { name: 'id and security', equal: (it) => idOf(it, subjectOf(it)), appliesTo: mayBeOneLot },
  {
    name: 'lot, quantity and basis',
    equal: (it) => [...lotOf(it), quantityOf(it), it.costReported],
  },
  { name: 'lot and quantity', equal: (it) => [...lotOf(it), quantityOf(it)] },
  { name: 'lot and basis', equal: (it) => [...lotOf(it), it.costReported] },
  { name: 'lot, in order', equal: lotOf },
  {
    name: 'security and quantity',
    equal: (it) => [subjectOf(it), quantityOf(it)],
    appliesTo: mayBeOneLot,
  },
  {
    name: 'security and basis',
    equal: (it) => [subjectOf(it), sideOf(it), it.costReported],
    appliesTo: mayBeOneLot,
  },
  {
    name: 'security, in order',
    equal: (it) => [subjectOf(it), sideOf(it)],
    appliesTo: mayBeOneLot,
  },
  { name: 'id', equal: (it) => idOf(it), appliesTo: mayBeOneSecurity },
];

/**
 * Finds the stored holding of each fetched one, one to one, within one account. Ids of sources may
 * be reissued, so an id counts while its security agrees.
 * @param securityIds the security of each fetched holding; null = nothing identifies it
 * @returns for each fetched holding the id of the known one; null = it is new
 */
export function recognizeHoldings(
  known: readonly KnownHolding[],
  fetched: readonly FetchedHolding[],
  securityIds: readonly (string | null)[],
): (string | null)[] {
  const positions = fetched.map((holding, place) =>
    positionOf(holding, securityIds[place] ?? null, place),
  );
  const taken = new Set<Position>();
  const inOrder = known.toSorted((one, other) => one.place - other.place);
  for (const { equal, appliesTo = () => true } of RULES) {
    const groups = new Map<string, Position[]>();
    for (const each of inOrder.filter((it) => !taken.has(it))) {
      const key = JSON.stringify(equal(each));
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [each]);
      else group.push(each);
    }
    for (const position of positions) {
      const key = equal(position);
      if (key === null || position.holdingId !== null) continue;
      const match = groups
        .get(JSON.stringify(key))
        ?.find((each) => !taken.has(each) && appliesTo(each, position));
      if (match === undefined) continue;
      taken.add(match);
      position.holdingId = match.holdingId;
    }
  }
  return positions.map(({ holdingId }) => holdingId);
}

function positionOf(holding: FetchedHolding, securityId: string | null, place: number): Position {
  const { providerHoldingId, acquiredOn, contributionSource, subAccount, quantity } = holding;
  return {
    holdingId: null,
    providerHoldingId,
    securityId,
    name: holding.security.name,
    acquiredOn,
    contributionSource,
    subAccount,
    quantity,
    costReported: holding.cost.reported,
    place,
  };
}
