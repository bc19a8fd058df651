/** Where a listing goes on: the window of its first page, and the day the next page begins at. Day numbers. */
export interface PageToken {
  first: number;
  last: number;
  position: number;
}

export function formatPageToken({ first, last, position }: PageToken): string {
  return Buffer.from(`${first}.${last}.${position}`).toString('base64url');
}

/** Null for anything this bank would not have issued. */
export function parsePageToken(text: string): PageToken | null {
  if (!/^[\w-]{1,60}$/.test(text)) return null;
  const numbers = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (numbers === null) return null;
  const [first, last, position] = [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])];
  return first <= position && position <= last ? { first, last, position } : null;
}
