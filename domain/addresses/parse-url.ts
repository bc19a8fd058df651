/**
 * An absolute address. Not `URL.canParse`: that of Node 20, once optimized, reads Latin-1 text as UTF-8, so that it accepts
 * addresses which `new URL` refuses.
 * @returns null for text that is none
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
