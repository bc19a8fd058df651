/**
 * The significant words of a description: letters only, because banks add dates, references and
 * terminal numbers.
 */
function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .toUpperCase()
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .replaceAll(/[^\p{L}\s]+/gu, ' ')
      .split(/\s+/)
      .filter((word) => word.length > 1),
  );
}

/**
 * The similarity of two descriptions: 1 = the longer contains every word of the shorter, 0 = no
 * common word, null = undetermined because one is unknown or has no words.
 */
export type TextSimilarity = (
  ours: readonly (string | null)[],
  theirs: readonly (string | null)[],
) => number | null;

/** Splits each text once, because every row is compared with many others. */
export function createTextSimilarity(): TextSimilarity {
  const wordsByText = new Map<string, ReadonlySet<string>>();
  const words = (text: string): ReadonlySet<string> => {
    const known = wordsByText.get(text);
    if (known !== undefined) return known;
    const found = wordsOf(text);
    wordsByText.set(text, found);
    return found;
  };
  return (ours, theirs) => {
    let best: number | null = null;
    for (const our of ours) {
      for (const their of theirs) {
        if (our === null || their === null) continue;
        const similarity = similarityOf(words(our), words(their));
        if (similarity !== null && (best === null || similarity > best)) best = similarity;
      }
    }
    return best;
  };
}

function similarityOf(ours: ReadonlySet<string>, theirs: ReadonlySet<string>): number | null {
  const shorter = Math.min(ours.size, theirs.size);
  if (shorter === 0) return null;
  const shared = [...ours].filter((word) => theirs.has(word)).length;
  return shared / shorter;
}
