/** The words of a text without those that have a digit: dates, references and terminals. */
export function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '' && !/\p{N}/u.test(word));
  return [...new Set(words)].sort();
}

/** From this share of an account's rows on, a word belongs to the form of its texts. */
const BOILERPLATE_SHARE = 1 / 3;
const BOILERPLATE_WEIGHT = 0.25;

/**
 * How much a word distinguishes one counterparty from others, by the rows of the account that have it: much if few
 * have it, and nothing if one has it, because that is a reference.
 */
export function wordWeights(texts: Iterable<readonly string[]>): (word: string) => number {
  const rowsWith = new Map<string, number>();
  let rows = 0;
  for (const words of texts) {
    rows += 1;
    for (const word of words) rowsWith.set(word, (rowsWith.get(word) ?? 0) + 1);
  }
  return (word) => {
    const count = rowsWith.get(word) ?? 0;
    if (count < 2) return 0;
    const rare = Math.log(1 + rows / count) * (1 - 1 / count) ** 2;
    return count >= rows * BOILERPLATE_SHARE ? rare * BOILERPLATE_WEIGHT : rare;
  };
}
