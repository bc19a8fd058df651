import { searchable } from './search-text.js';

/** Words that describe a company's kind and legal form without identifying it. */
const COMMON = new Set(
  'ab ag as asa bank banque banco banca bv co corp eg gmbh inc kg llc ltd na nv oy oyj plc sa se spa the'.split(
    ' ',
  ),
);

/**
 * The similarity of two names of institutions, from 0 to 1: the share of words that both contain.
 * Kinds and legal forms do not count, so that "Wells Fargo Bank, N.A." equals "Wells Fargo".
 */
export function nameSimilarity(one: string, other: string): number {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  // "JP Morgan" and "JPMorgan".
  if ([...left].join('') === [...right].join('')) return 1;
  const shared = [...left].filter((word) => right.has(word)).length;
  return (2 * shared) / (left.size + right.size);
}

function wordsOf(name: string): Set<string> {
  // Single letters are initials of legal forms: "N.A.", "S.p.A.".
  const words = searchable(name)
    .split(' ')
    .filter((word) => word.length > 1);
  const telling = words.filter((word) => !COMMON.has(word));
  return new Set(telling.length > 0 ? telling : words);
}
