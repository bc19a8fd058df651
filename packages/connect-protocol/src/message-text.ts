import { readEnvelope, type Envelope } from './envelope.js';

/** Our messages stay far below it; parsers of other languages have lower limits. */
const DEEPEST = 100;

/** A message of a WebView as an envelope of this channel; any other text is undefined. */
export function readMessageText(text: unknown, channel: string): Envelope | undefined {
  if (typeof text !== 'string' || depthOf(text) > DEEPEST) return undefined;
  try {
    return readEnvelope(JSON.parse(text), channel) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * The script that passes a message to the hosted app in a WebView (connect 8): the JSON text as a
 * string literal, so that no part of it runs as code.
 */
export function receiveScript(envelope: Envelope): string {
  const literal = JSON.stringify(JSON.stringify(envelope))
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
  return `window.__connectReceive && window.__connectReceive(${literal}); true;`;
}

/** The nesting depth of arrays and objects in a JSON text, without parsing it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, (depth += 1));
    else if (token === ']' || token === '}') depth -= 1;
  }
  return deepest;
}
