import { createHash } from 'node:crypto';
import type { FetchedTransaction } from '../refresh/fetched-data.js';

type Content = Pick<
  FetchedTransaction,
  'date' | 'amount' | 'currency' | 'type' | 'description' | 'rawDescription'
>;

/** A digest of the content of a row. Without its status: a row that is booked on its day stays the same. */
export function contentOf({
  date,
  amount,
  currency,
  type,
  description,
  rawDescription,
}: Content): string {
  const parts = [date, amount.toFixed(), currency, type, description, rawDescription];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
