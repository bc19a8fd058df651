import type { FetchedTransaction } from '../refresh/fetched-data.js';
import { jsonDigest } from './json-digest.js';

interface Content extends Pick<
  FetchedTransaction,
  'date' | 'amount' | 'currency' | 'description' | 'rawDescription'
> {
  type: string;
  /** Missing for a row that changes no position. */
  position?: string | undefined;
}

/** A digest of the content of a row. Without its status: a row that is booked on its day stays the same. */
export function contentOf({
  date,
  amount,
  currency,
  type,
  description,
  rawDescription,
  position,
}: Content): string {
  const parts = [date, amount.toFixed(), currency, type, description, rawDescription];
  if (position !== undefined) parts.push(position);
  return jsonDigest(parts);
}
