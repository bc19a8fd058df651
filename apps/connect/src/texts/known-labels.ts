import { masked } from './masked.js';
import type { Texts } from './texts.js';

/** Labels in the words of this service, as its sandbox bank sends them; a bank's own words are not translated. */
const KNOWN_LABELS = new Map([
  ['What is your favorite color?', 'question_color'],
  ['What was the name of your first pet?', 'question_pet'],
  ['Characters in the picture', 'picture_characters'],
] as const);

/** Devices for a code; a masked number or address may follow. */
const KNOWN_DEVICES = [
  ['Text message', 'device_sms'],
  ['Email', 'device_email'],
  ['Phone call', 'device_phone'],
] as const;

/** A masked number or address, and not further words of a bank. */
const MASKED = /^(?:[•*\d\s()+-]+|[^\s@]+@[^\s@]+)$/;

/** A label in the user's language where this service wrote it, otherwise the bank's own words. */
export function labelIn(texts: Texts, label: string): string {
  const key = KNOWN_LABELS.get(label as 'Characters in the picture');
  return key === undefined ? (deviceIn(texts, label) ?? label) : texts.get(key);
}

function deviceIn(texts: Texts, label: string): string | null {
  for (const [words, key] of KNOWN_DEVICES) {
    if (label === words) return texts.get(key);
    const target = label.startsWith(`${words} `) ? label.slice(words.length + 1) : '';
    if (MASKED.test(target)) return texts.get(`${key}_to`, { target: masked(target) });
  }
  return null;
}
