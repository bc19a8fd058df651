/**
 * The position at which a listing continues: the window and the state of its first page, and the last row of the
 * previous page.
 */
export interface PageToken {
  /** Day numbers. */
  first: number;
  last: number;
  /** The number of fetches of a changing history that the listing shows. */
  fetches: number;
  after: { bookingDate: string; transactionId: string };
}

export function formatPageToken({ first, last, fetches, after }: PageToken): string {
  return Buffer.from(
    `${first}.${last}.${fetches}.${after.bookingDate}.${after.transactionId}`,
  ).toString('base64url');
}

/** Null for anything that this bank did not issue. */
export function parsePageToken(text: string): PageToken | null {
  if (!/^[\w-]{1,150}$/.test(text)) return null;
  const parts = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})\.(\d{4}-\d{2}-\d{2})\.(i?tx_[0-9a-f]{24})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  if (parts === null) return null;
  const [first, last, fetches] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [bookingDate = '', transactionId = ''] = [parts[4], parts[5]];
  return first <= last ? { first, last, fetches, after: { bookingDate, transactionId } } : null;
}
