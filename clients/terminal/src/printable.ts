/** Control characters, and those that turn around, hide or end what follows. */
const MOVES_A_CURSOR = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/gu;
/** Between the tokens of JSON; in its strings they are escaped. */
const SPACE = /[\t\n\r]/;

/** Text of others for a terminal, on one line: a mark stands for each character that could move the cursor. */
export function printable(text: string): string {
  return text.replaceAll(MOVES_A_CURSOR, '\uFFFD');
}

/** The same of several lines. A CR stays only before its LF: alone it would write over its line. */
export function printableLines(text: string): string {
  return text.replaceAll(MOVES_A_CURSOR, (found, at: number) =>
    found === '\n' || found === '\t' || (found === '\r' && text.charAt(at + 1) === '\n')
      ? found
      : '\uFFFD',
  );
}

/**
 * The same JSON with these characters escaped, of one line or several. `JSON.stringify` writes DEL and
 * the control characters above it as they are.
 */
export function printableJson(json: string): string {
  return json.replaceAll(MOVES_A_CURSOR, (found) =>
    SPACE.test(found) ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
