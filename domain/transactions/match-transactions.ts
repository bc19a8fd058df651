import type { Decimal } from 'decimal.js';
import { createTextSimilarity, type TextSimilarity } from '../text/similar-text.js';

/** The fields by which two transactions are compared. */
export interface MatchableRow {
  /** The provider's id. */
  id: string;
  accountId: string;
  /** Never negative. */
  amount: Decimal;
  /** The direction of a transaction, or the type of an investment transaction. */
  type: string;
  currency: string;
  /** The security, quantity and direction of an investment transaction as text. */
  position?: string;
  /** `YYYY-MM-DD`. */
  date: string;
  pending: boolean;
  /** Its descriptions, cleaned or raw. */
  texts: readonly (string | null)[];
}

/** A stored transaction whose id is missing from a complete fetch. */
export interface KnownRow extends MatchableRow {
  /** Imported by an app and not yet seen at a bank. */
  imported: boolean;
}

/** A fetched transaction with an id that is not stored. */
export interface UnknownRow extends MatchableRow {
  /** The id it had while it was pending, if the provider reports it. */
  replaces: string | null;
}

/** The reasons that the ids of a link may have changed. */
export interface MatchReasons {
  /** ProviderFacts.transactionIds is not `stable`. */
  postedIdsDiffer: boolean;
  /** The ids are `unreliable`: any row may appear under another id. */
  anyIdDiffers?: boolean;
  /** The link's permission or provider has changed since, or the link was imported. */
  otherSource: boolean;
  /** The last fetch was incomplete, so that it matched only some of the rows. */
  partlyMatched?: boolean;
}

interface MatchRule {
  name: string;
  isActive: (reasons: MatchReasons) => boolean;
  /** The field that must be equal besides account, type, currency and position. */
  equal: 'id' | 'amount' | 'nothing_more';
  /** Selects the pairs of transactions that the rule applies to. */
  appliesTo: (known: KnownRow, unknown: UnknownRow) => boolean;
  /** Amounts may differ by this fraction of the larger one. */
  amountShare: number;
  maxDays: number;
  /** Minimum text similarity; if it cannot be determined, `unknownText` decides. */
  minSimilarity: number;
  unknownText: boolean;
}

const always = () => true;

/**
 * The rules, most certain first: transactions matched by one rule are not considered by later ones.
 * Sources: link-lifecycle 8 and 11 (imports: account, amount, type, date ± 3 days, similar text),
 * native-api 1.2 (pending → posted keeps its id).
 */
export const MATCH_RULES: readonly MatchRule[] = [
  {
    name: 'the provider says which pending row it was',
    isActive: always,
    equal: 'id',
    appliesTo: always,
    amountShare: Infinity,
    maxDays: Infinity,
    minSimilarity: 0,
    unknownText: true,
  },
  {
    // The same row of a source without ids: its text may be missing, but its day is not.
    name: 'the same content',
    isActive: ({ anyIdDiffers = false }) => anyIdDiffers,
    equal: 'amount',
    appliesTo: (known, unknown) => !known.imported && known.pending === unknown.pending,
    amountShare: 0,
    maxDays: 0,
    minSimilarity: 0.9,
    unknownText: true,
  },
  {
    name: 'imported',
    isActive: ({ otherSource }) => otherSource,
    equal: 'amount',
    appliesTo: ({ imported }) => imported,
    amountShare: 0,
    maxDays: 3,
    minSimilarity: 0.5,
    unknownText: true,
  },
  {
    name: 'the same row of another source',
    isActive: ({ otherSource, anyIdDiffers = false }) => otherSource || anyIdDiffers,
    equal: 'amount',
    appliesTo: (known, unknown) => !known.imported && known.pending === unknown.pending,
    amountShare: 0,
    maxDays: 3,
    minSimilarity: 0.5,
    unknownText: false,
  },
  {
    name: 'posted for the same amount',
    isActive: ({ postedIdsDiffer, otherSource }) => postedIdsDiffer || otherSource,
    equal: 'amount',
    appliesTo: isPosting,
    amountShare: 0,
    maxDays: 7,
    minSimilarity: 0.5,
    unknownText: true,
  },
  {
    // A tip, an exchange rate, or the final amount of a hold at a gas pump or hotel.
    name: 'posted for another amount',
    isActive: ({ postedIdsDiffer, otherSource }) => postedIdsDiffer || otherSource,
    equal: 'nothing_more',
    appliesTo: isPosting,
    amountShare: 0.3,
    maxDays: 7,
    minSimilarity: 0.75,
    unknownText: false,
  },
];

/** A hold never posts before it started, apart from time zone differences. */
function isPosting(known: KnownRow, unknown: UnknownRow): boolean {
  return (
    !known.imported &&
    known.pending &&
    !unknown.pending &&
    daysBetween(known.date, unknown.date) >= -1
  );
}

interface Candidate {
  known: KnownRow;
  unknown: UnknownRow;
  days: number;
  amountDifference: Decimal;
  similarity: number;
}

/** The rules for rows that differ only in their id, or that were also posted. */
export const SAME_CONTENT = MATCH_RULES.filter(
  ({ name }) => name === 'the same content' || name === 'posted for the same amount',
);

/**
 * Finds fetched transactions that are stored under another id. The result is one to one and
 * independent of the order of the rows; transactions that no rule matches are new. Only
 * transactions with equal account, type, currency and position are compared.
 * @returns fetched id → stored id
 */
export function matchTransactions(
  known: readonly KnownRow[],
  unknown: readonly UnknownRow[],
  reasons: MatchReasons,
  rules: readonly MatchRule[] = MATCH_RULES,
): Map<string, string> {
  const matched = new Map<string, string>();
  const taken = new Set<string>();
  const similarityOf = createTextSimilarity();
  for (const rule of rules) {
    if (!rule.isActive(reasons)) continue;
    const knownByGroup = groupsOf(
      known.filter(({ id }) => !taken.has(id)),
      (row) => groupOf(rule, row, row.id),
    );
    const candidates = unknown
      .filter(({ id }) => !matched.has(id))
      .flatMap((row) =>
        candidatesOf(
          rule,
          row,
          knownByGroup.get(groupOf(rule, row, row.replaces)) ?? [],
          similarityOf,
        ),
      );
    for (const { known: ours, unknown: theirs } of candidates.sort(nearestFirst)) {
      if (taken.has(ours.id) || matched.has(theirs.id)) continue;
      taken.add(ours.id);
      matched.set(theirs.id, ours.id);
    }
  }
  return matched;
}

function candidatesOf(
  rule: MatchRule,
  unknown: UnknownRow,
  known: readonly KnownRow[],
  similarityOf: TextSimilarity,
): Candidate[] {
  return known.flatMap((row) => {
    const days = Math.abs(daysBetween(row.date, unknown.date));
    if (days > rule.maxDays || !rule.appliesTo(row, unknown)) return [];
    const amountDifference = row.amount.minus(unknown.amount).abs();
    if (!isNear(amountDifference, row, unknown, rule.amountShare)) return [];
    const similarity = similarityOf(row.texts, unknown.texts);
    if (similarity === null ? !rule.unknownText : similarity < rule.minSimilarity) return [];
    return [{ known: row, unknown, days, amountDifference, similarity: similarity ?? 0 }];
  });
}

function isNear(difference: Decimal, known: KnownRow, unknown: UnknownRow, share: number): boolean {
  if (difference.isZero() || share === Infinity) return true;
  const larger = known.amount.greaterThan(unknown.amount) ? known.amount : unknown.amount;
  return share > 0 && difference.lessThanOrEqualTo(larger.mul(share));
}

/** Falls back to the ids, so that the result does not depend on the order of the rows. */
function nearestFirst(a: Candidate, b: Candidate): number {
  return (
    a.days - b.days ||
    a.amountDifference.comparedTo(b.amountDifference) ||
    b.similarity - a.similarity ||
    compare(a.known.date, b.known.date) ||
    compare(a.unknown.date, b.unknown.date) ||
    compare(a.known.id, b.known.id) ||
    compare(a.unknown.id, b.unknown.id)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The key of rows that may match under a rule; null = none can. */
function groupOf(
  { equal }: MatchRule,
  { accountId, type, currency, position, amount }: MatchableRow,
  id: string | null,
): string | null {
  if (equal === 'id' && id === null) return null;
  return JSON.stringify([
    accountId,
    type,
    currency,
    position,
    equal === 'id' ? id : equal === 'amount' ? amount.toFixed() : null,
  ]);
}

function groupsOf(
  rows: readonly KnownRow[],
  groupOfRow: (row: KnownRow) => string | null,
): Map<string | null, KnownRow[]> {
  const groups = new Map<string | null, KnownRow[]>();
  for (const row of rows) {
    const group = groups.get(groupOfRow(row));
    if (group === undefined) groups.set(groupOfRow(row), [row]);
    else group.push(row);
  }
  return groups;
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

const DAY_MS = 86_400_000;
