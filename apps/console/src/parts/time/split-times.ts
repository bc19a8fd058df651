import { parseTime } from './parse-time.js';

/** A sentence of the service, in its parts; `at` marks one that is a time. */
export type TextPart = { text: string; at?: undefined } | { text: string; at: Date };

const TIMES = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?/g;

/** Finds the times inside of a sentence, so that they are shown like all others. */
export function splitTimes(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(TIMES)) {
    const at = parseTime(match[0]);
    if (at === null) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: match[0], at });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
