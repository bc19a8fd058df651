export const MAX_SHOWN = 200;

/** @returns the first 200 characters, by code point; null = the text is not longer */
export function cutText(text: string): string | null {
  if (text.length <= MAX_SHOWN) return null;
  const characters = [...text];
  return characters.length <= MAX_SHOWN ? null : characters.slice(0, MAX_SHOWN).join('');
}
