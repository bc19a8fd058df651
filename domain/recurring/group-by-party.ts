import { compare, oldestFirst, type SearchedRow } from './recurring-row.js';
import type { StreamKey } from './stream.js';
import { wordsOf, wordWeights } from './weigh-words.js';

/** Rows of one account that have one counterparty, oldest first. */
export interface Party {
  key: StreamKey;
  rows: SearchedRow[];
}

const MIN_OVERLAP = 0.6;
/** Compared by these words, and with this many known texts for each: otherwise many texts cost their square. */
const WORDS_COMPARED = 3;
const TEXTS_COMPARED = 16;

interface Text {
  /** Accounts of counterparties have texts of their own. */
  space: string;
  words: readonly string[];
  key: StreamKey;
  rows: SearchedRow[];
}

interface Cluster extends Party {
  words: readonly string[];
  /** The word that distinguishes it most. */
  name: string | undefined;
}

/**
 * Groups the rows of one account by counterparty: by a reference that returns, else by texts that share most of the
 * words that distinguish them.
 */
export function groupByParty(rows: readonly SearchedRow[]): Party[] {
  const byReference = new Map<string, Party>();
  const byText = new Map<string, Text>();
  const returns = returningReferences(rows);
  for (const row of rows) {
    const reference = returns(row);
    if (reference !== null) {
      const name = `${reference.key} ${reference.value}`;
      const party = byReference.get(name) ?? { key: reference.key, rows: [] };
      byReference.set(name, party);
      party.rows.push(row);
      continue;
    }
    const text = textOf(row);
    const name = `${text.space} ${text.words.join(' ')}`;
    const known = byText.get(name) ?? { ...text, rows: [] };
    byText.set(name, known);
    known.rows.push(row);
  }
  return [...byReference.values(), ...joinTexts([...byText.values()])].map(({ key, rows }) => ({
    key,
    rows: rows.sort(oldestFirst),
  }));
}

/** A reference in one row alone is that of an invoice. */
function returningReferences(rows: readonly SearchedRow[]) {
  const counts = new Map<string, number>();
  const candidates = (row: SearchedRow) =>
    [
      { key: 'mandate', value: row.mandate },
      { key: 'creditor_reference', value: row.creditorReference },
    ] as const;
  for (const row of rows)
    for (const { key, value } of candidates(row))
      if (value !== null) counts.set(`${key} ${value}`, (counts.get(`${key} ${value}`) ?? 0) + 1);
  return (row: SearchedRow) =>
    candidates(row).find(
      ({ key, value }) => value !== null && (counts.get(`${key} ${value}`) ?? 0) > 1,
    ) ?? null;
}

function textOf(row: SearchedRow): Pick<Text, 'space' | 'words' | 'key'> {
  if (row.counterpartyMask !== null)
    return {
      space: row.counterpartyMask,
      words: wordsOf(row.counterpartyName ?? ''),
      key: 'counterparty',
    };
  const name = row.merchantName ?? row.counterpartyName;
  return {
    space: '',
    words: wordsOf(name ?? row.description ?? ''),
    key: name === null ? 'text' : 'merchant',
  };
}

/**
 * The commonest text of a counterparty stands for it, so that texts do not join in chains. The word that distinguishes
 * one of two texts most is in both, so that the words of a form do not join the counterparties that use it.
 */
function joinTexts(texts: readonly Text[]): Party[] {
  const weightOf = wordWeights(texts.flatMap(({ words, rows }) => rows.map(() => words)));
  const clusters: Cluster[] = [];
  const byWord = new Map<string, Cluster[]>();
  const commonestFirst = texts.toSorted(
    (one, other) =>
      other.rows.length - one.rows.length ||
      compare(one.space, other.space) ||
      compare(one.words.join(' '), other.words.join(' ')),
  );
  for (const { space, words, key, rows } of commonestFirst) {
    const heaviest = words
      .filter((word) => weightOf(word) > 0)
      .sort((one, other) => weightOf(other) - weightOf(one) || compare(one, other))
      .slice(0, WORDS_COMPARED);
    const [name] = heaviest;
    const places = heaviest.map((word) => `${space} ${word}`);
    const similar = bestOf(
      places.flatMap((place) => byWord.get(place) ?? []),
      (cluster) =>
        has(words, cluster.name) || has(cluster.words, name)
          ? overlap(cluster.words, words, weightOf)
          : 0,
    );
    if (similar !== null) {
      similar.rows.push(...rows);
      continue;
    }
    const cluster = { words, name, key, rows: [...rows] };
    clusters.push(cluster);
    for (const place of places) {
      const known = byWord.get(place) ?? [];
      if (known.length < TEXTS_COMPARED) byWord.set(place, [...known, cluster]);
    }
  }
  return clusters;
}

function has(words: readonly string[], word: string | undefined): boolean {
  return word !== undefined && words.includes(word);
}

function bestOf<T>(candidates: readonly T[], similarity: (candidate: T) => number): T | null {
  let best: { candidate: T; value: number } | null = null;
  for (const candidate of candidates) {
    const value = similarity(candidate);
    if (value >= MIN_OVERLAP && (best === null || value > best.value)) best = { candidate, value };
  }
  return best?.candidate ?? null;
}

/** The weight of the words of both, as a share of the weight of each. */
function overlap(
  ours: readonly string[],
  theirs: readonly string[],
  weightOf: (word: string) => number,
): number {
  const other = new Set(theirs);
  let shared = 0;
  let all = 0;
  for (const word of ours) {
    all += weightOf(word);
    if (other.has(word)) shared += weightOf(word);
  }
  for (const word of theirs) all += weightOf(word);
  return all === 0 ? 0 : (2 * shared) / all;
}
