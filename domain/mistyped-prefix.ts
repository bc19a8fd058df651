/** Letters that may be wrong, missing, too many or swapped, by the length of what was typed. */
function allowance(length: number): number {
  if (length < 3) return 0;
  return length < 6 ? 1 : 2;
}

/**
 * How far `typed` is from being the begin of the text or of one of its words: 0 = it is, null = too far to be meant.
 * Case and accents do not count. Source: connect 4, "typo-tolerant prefix search".
 */
export function mistypedPrefix(typed: string, text: string): number | null {
  const query = plain(typed);
  if (query === '') return null;
  const words = plain(text).split(' ');
  const distances = words.map((_, index) => prefixDistance(query, words.slice(index).join(' ')));
  const best = Math.min(...distances);
  return best <= allowance(query.length) ? best : null;
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Fewest insertions, deletions, replacements and swaps of neighbours that make `query` a prefix of `text`. */
function prefixDistance(query: string, text: string): number {
  let twoBefore: number[] = [];
  let before = Array.from({ length: text.length + 1 }, (_, column) => column);
  for (let row = 1; row <= query.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= text.length; column += 1) {
      const same = query[row - 1] === text[column - 1];
      const swapped = query[row - 1] === text[column - 2] && query[row - 2] === text[column - 1];
      current[column] = Math.min(
        at(before, column) + 1,
        at(current, column - 1) + 1,
        at(before, column - 1) + (same ? 0 : 1),
        swapped ? at(twoBefore, column - 2) + 1 : Infinity,
      );
    }
    twoBefore = before;
    before = current;
  }
  return Math.min(...before);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
