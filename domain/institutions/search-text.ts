/** How names of institutions are compared: what people type has typos, accents and half a word at its end. Source: connect 4. */

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  '&': ' and ',
};

/** Lower-case words of letters and digits, one space between them; accents and apostrophes are gone. */
export function searchable(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’‘`´]/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđ&]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** What an institution is found by: its name first, then its domain, then other names. */
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

/** Shorter queries have nothing to spare for a typo. */
export const SHORTEST_WITH_TYPOS = 4;

/** Typing errors that are forgiven in one word: none in short ones, where one makes another word of it. */
function forgiven(word: string): number {
  return word.length < SHORTEST_WITH_TYPOS ? 0 : word.length < 6 ? 1 : 2;
}

/**
 * How many typing errors lie between a query and a text, both `searchable`: each word of the query stands for another
 * word of the text, in any order, and the last one may be half typed. Null = they do not fit.
 */
export function typosBetween(query: string, text: string): number | null {
  const byWord = typosByWord(query.split(' '), text.split(' '));
  // "jp morgan" is found by "jpmorgan", and the other way round.
  const [joinedQuery, joinedText] = [query.replaceAll(' ', ''), text.replaceAll(' ', '')];
  const joined = prefixEdits(joinedQuery, joinedText);
  const whole = joined <= forgiven(joinedQuery) ? joined : null;
  return byWord === null || whole === null ? (byWord ?? whole) : Math.min(byWord, whole);
}

function typosByWord(query: readonly string[], words: readonly string[]): number | null {
  const left = [...words];
  let sum = 0;
  for (const [position, word] of query.entries()) {
    const edits = left.map((other) =>
      position === query.length - 1 ? prefixEdits(word, other) : wholeEdits(word, other),
    );
    const fewest = Math.min(...edits);
    if (fewest > forgiven(word)) return null;
    left.splice(edits.indexOf(fewest), 1);
    sum += fewest;
  }
  return sum;
}

/** Whether the text itself begins with the query but for typing errors, not only a later word of it. */
export function beginsLike(query: string, text: string): boolean {
  const joined = query.replaceAll(' ', '');
  return prefixEdits(joined, text.replaceAll(' ', '')) <= forgiven(joined);
}

/** Edits from a word to another: a letter more, less, other, or two swapped. */
function wholeEdits(word: string, other: string): number {
  return lastRow(word, other).at(-1) ?? word.length;
}

/** Edits from a word to the nearest beginning of another. */
function prefixEdits(word: string, other: string): number {
  return Math.min(...lastRow(word, other));
}

/** Optimal string alignment: entry n is the distance from `word` to the first n letters of `other`. */
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
