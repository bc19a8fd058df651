/**
 * An absolute address. Does not use `URL.canParse`: once optimized, Node 20's version reads Latin-1
 * text as UTF-8 and therefore accepts addresses that `new URL` refuses.
 * @returns null for text that is not an absolute address
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
