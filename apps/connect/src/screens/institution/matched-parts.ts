export interface Part {
  text: string;
  isMatch: boolean;
}

/**
 * Splits a name into the parts that start like a typed word and the rest, so that matches can be
 * bold.
 */
export function matchedParts(name: string, term: string): Part[] {
  const words = term
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return name.split(/(\s+)/).flatMap((piece) => {
    const match = words
      .filter((word) => piece.toLowerCase().startsWith(word))
      .sort((a, b) => b.length - a.length)[0];
    if (match === undefined) return piece === '' ? [] : [{ text: piece, isMatch: false }];
    const parts = [
      { text: piece.slice(0, match.length), isMatch: true },
      { text: piece.slice(match.length), isMatch: false },
    ];
    return parts.filter(({ text }) => text !== '');
  });
}
