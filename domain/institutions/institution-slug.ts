import { searchable } from './search-text.js';

const MAX_WORDS_LENGTH = 48;

/**
 * A readable id for a new institution that is not in use: `chase-us`, then `chase-us-2`. Source:
 * native-api 1.2.
 */
export function institutionSlug(
  { name, domain, country }: { name: string; domain: string | null; country: string },
  isTaken: (id: string) => boolean,
): string {
  // A name in Greek or Cyrillic letters leaves no words; its domain does.
  const words = asciiWords(name) || asciiWords(domain?.split('.')[0] ?? '') || 'institution';
  const slug = `${words}-${country.toLowerCase()}`;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? slug : `${slug}-${number}`;
    if (!isTaken(id)) return id;
  }
}

function asciiWords(text: string): string {
  return searchable(text)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_WORDS_LENGTH)
    .replaceAll(/^-|-$/g, '');
}
