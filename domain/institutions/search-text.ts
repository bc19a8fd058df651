/**
 * The comparison of institution names, which tolerates typos, accents and a half-typed last word.
 * Source: connect 4.
 */

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  '&': ' and ',
};

/**
 * Lower-case words of letters and digits separated by single spaces, without accents and
 * apostrophes.
 */
export function searchable(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’‘`´]/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđ&]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The text by which an institution is found: name, then domain, then other names. */
export function searchTextOf({
  name,
  domain,
  otherNames = [],
}: {
  name: string;
  domain: string | null;
  otherNames?: readonly string[];
}): string {
  return searchable([name, domain ?? '', ...otherNames].join(' '));
}

/** Shorter queries must match exactly. */
export const MIN_LENGTH_WITH_TYPOS = 4;

/**
 * The number of typos that a word may have. None in a short word, where one typo results in a
 * different word.
 */
function allowedTypos(word: string): number {
  return word.length < MIN_LENGTH_WITH_TYPOS ? 0 : word.length < 6 ? 1 : 2;
}

/**
 * The number of typos between a query and a text, both `searchable`. Each word of the query matches
 * a different word of the text, in any order, and the last one may be half typed. Null = no match.
 */
export function typosBetween(query: string, text: string): number | null {
  const byWord = typosByWord(query.split(' '), text.split(' '));
  // "jp morgan" finds "jpmorgan" and vice versa.
  const [joinedQuery, joinedText] = [query.replaceAll(' ', ''), text.replaceAll(' ', '')];
  const joined = prefixEdits(joinedQuery, joinedText);
  const whole = joined <= allowedTypos(joinedQuery) ? joined : null;
  return byWord === null || whole === null ? (byWord ?? whole) : Math.min(byWord, whole);
}

function typosByWord(query: readonly string[], words: readonly string[]): number | null {
  const remaining = [...words];
  let sum = 0;
  for (const [position, word] of query.entries()) {
    const edits = remaining.map((other) =>
      position === query.length - 1 ? prefixEdits(word, other) : wholeEdits(word, other),
    );
    const fewest = Math.min(...edits);
    if (fewest > allowedTypos(word)) return null;
    remaining.splice(edits.indexOf(fewest), 1);
    sum += fewest;
  }
  return sum;
}

/** Whether the text itself, not just a later word of it, starts with the query, typos aside. */
export function beginsLike(query: string, text: string): boolean {
  const joined = query.replaceAll(' ', '');
  return prefixEdits(joined, text.replaceAll(' ', '')) <= allowedTypos(joined);
}

/** Edit distance between two words: insertion, deletion, substitution or transposition. */
function wholeEdits(word: string, other: string): number {
  return lastRow(word, other).at(-1) ?? word.length;
}

/** Edit distance from a word to the nearest prefix of another. */
function prefixEdits(word: string, other: string): number {
  return Math.min(...lastRow(word, other));
}

/**
 * Optimal string alignment: entry n is the distance from `word` to the first n letters of `other`.
 */
function lastRow(word: string, other: string): number[] {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= word.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = at(above, column - 1) + (word[row - 1] === other[column - 1] ? 0 : 1);
      const swapped =
        row > 1 &&
        column > 1 &&
        word[row - 1] === other[column - 2] &&
        word[row - 2] === other[column - 1]
          ? at(before, column - 2) + 1
          : Infinity;
      current.push(Math.min(replaced, swapped, at(above, column) + 1, at(current, column - 1) + 1));
    }
    [before, above] = [above, current];
  }
  return above;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
