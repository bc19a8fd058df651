const CONTROLS = /[\p{Cc}\p{Cs}]+/gu;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Text as people wrote it: without control characters, NUL and unpaired surrogates, which
 * PostgreSQL refuses, and cut between characters as a reader sees them.
 * @param max in UTF-16 code units
 * @returns null when nothing remains
 */
export function plainText(text: string, max: number): string | null {
  const plain = text.replace(CONTROLS, ' ').trim();
  return plain === '' ? null : cutText(plain, max);
}

function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  // The text after the cut is irrelevant, and it may be megabytes long.
  for (const { index, segment } of graphemes.segment(text.slice(0, max + 100))) {
    if (index + segment.length > max) break;
    end = index + segment.length;
  }
  return text.slice(0, end === 0 ? max : end).trim();
}
