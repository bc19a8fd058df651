/** The words of a text without those that have a digit: dates, references and terminals. */
export function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '' && !/\p{N}/u.test(word));
  return [...new Set(words)].sort();
}

/**
 * How much a word distinguishes one counterparty from others, by the rows of the account that have it: much if few
 * have it, and nothing if one has it, because that is a reference.
 */
export function wordWeights(
  texts: readonly { words: readonly string[]; rows: readonly unknown[] }[],
): (word: string) => number {
  const rowsWith = new Map<string, number>();
  let all = 0;
  for (const { words, rows } of texts) {
    all += rows.length;
    for (const word of words) rowsWith.set(word, (rowsWith.get(word) ?? 0) + rows.length);
  }
  const weights = new Map<string, number>();
  for (const [word, count] of rowsWith) {
    if (count < 2) continue;
    weights.set(word, Math.log(1 + all / count) * (1 - 1 / count) ** 2);
  }
  return (word) => weights.get(word) ?? 0;
}
