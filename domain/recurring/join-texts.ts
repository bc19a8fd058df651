import { compare } from './recurring-row.js';
import type { SearchedRow } from './recurring-row.js';
import { wordWeights } from './weigh-words.js';

/** Rows whose texts have the same words. */
export interface Text {
  /** Only texts of one space can be those of one counterparty. */
  space: string;
  words: readonly string[];
  rows: SearchedRow[];
}

/** The text that stands for a counterparty. */
interface Leader<T extends Text> {
  text: T;
  words: ReadonlySet<string>;
  weight: number;
  /** The word that distinguishes it most. */
  name: string | undefined;
  rows: SearchedRow[];
}

const MIN_OVERLAP = 0.6;
/** Texts are compared by these words, and with this many leaders for each: all of them would cost their square. */
const WORDS_COMPARED = 3;
const LEADERS_COMPARED = 16;
const TEXTS_OF_A_STEP = 250;

/**
 * Joins texts that share most of the weight of their words. The commonest text leads, so that texts do not join in
 * chains; and the word that distinguishes one of the two most must be in both, so that the words of a form do not join
 * the counterparties that use it. Runs in steps.
 */
export function* joinTexts<T extends Text>(
  texts: readonly T[],
): Generator<void, { text: T; rows: SearchedRow[] }[]> {
  const weightOf = wordWeights(texts);
  const leaders: Leader<T>[] = [];
  const byWord = new Map<string, Leader<T>[]>();
  for (const [at, text] of commonestFirst(texts).entries()) {
    if (at % TEXTS_OF_A_STEP === 0) yield;
    const { space, rows } = text;
    const words = text.words.filter((word) => weightOf(word) > 0);
    const heaviest = words
      .toSorted((one, other) => weightOf(other) - weightOf(one) || compare(one, other))
      .slice(0, WORDS_COMPARED);
    const weight = words.reduce((sum, word) => sum + weightOf(word), 0);
    const own = { text, words: new Set(words), weight, name: heaviest[0], rows: [...rows] };
    const places = heaviest.map((word) => `${space} ${word}`);
    const leader = closest(
      own,
      new Set(places.flatMap((place) => byWord.get(place) ?? [])),
      weightOf,
    );
    if (leader !== null) {
      leader.rows.push(...rows);
      continue;
    }
    leaders.push(own);
    for (const place of places) {
      const known = byWord.get(place);
      if (known === undefined) byWord.set(place, [own]);
      else if (known.length < LEADERS_COMPARED) known.push(own);
    }
  }
  return leaders.map(({ text, rows }) => ({ text, rows }));
}

function commonestFirst<T extends Text>(texts: readonly T[]): T[] {
  return texts
    .map((text) => ({ text, name: `${text.space} ${text.words.join(' ')}` }))
    .sort(
      (one, other) =>
        other.text.rows.length - one.text.rows.length || compare(one.name, other.name),
    )
    .map(({ text }) => text);
}

type Compared = Pick<Leader<Text>, 'words' | 'weight' | 'name'>;

function closest<T extends Compared>(
  own: Compared,
  leaders: Iterable<T>,
  weightOf: (word: string) => number,
): T | null {
  let best: { leader: T; share: number } | null = null;
  for (const leader of leaders) {
    const isNamed =
      (own.name !== undefined && leader.words.has(own.name)) ||
      (leader.name !== undefined && own.words.has(leader.name));
    const share = isNamed ? overlap(own, leader, weightOf) : 0;
    if (share >= MIN_OVERLAP && (best === null || share > best.share)) best = { leader, share };
  }
  return best?.leader ?? null;
}

/** The weight of the words of both, as a share of the weight of each. */
function overlap(one: Compared, other: Compared, weightOf: (word: string) => number): number {
  let shared = 0;
  for (const word of one.words) if (other.words.has(word)) shared += weightOf(word);
  return (2 * shared) / (one.weight + other.weight);
}
