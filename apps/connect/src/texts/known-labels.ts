import type { Texts } from './texts.js';

/** Labels in the words of this service, as its sandbox bank sends them; a bank's own words are not translated. */
const KNOWN_LABELS = new Map([
  ['What is your favorite color?', 'question_color'],
  ['What was the name of your first pet?', 'question_pet'],
  ['Characters in the picture', 'picture_characters'],
] as const);

/** A label in the user's language where this service wrote it, otherwise the bank's own words. */
export function labelIn(texts: Texts, label: string): string {
  const key = KNOWN_LABELS.get(label as 'Characters in the picture');
  return key === undefined ? label : texts.get(key);
}
