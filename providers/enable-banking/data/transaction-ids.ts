import { contentOf } from '../../../domain/digests/row-content.js';
import type { ProviderTransaction } from '../../contract/provider.js';
import type { RemoteRow } from './to-transaction.js';

type Row = RemoteRow['row'];

/**
 * Assigns ids to the rows of one account: the bank's reference if there is one, otherwise a digest
 * of the content and, among equal rows, the position. A reference identifies one row, so its
 * repetition on the next page is omitted; if a bank assigns one reference to different rows, they
 * get digests instead.
 */
export function withIds(accountId: string, rows: readonly RemoteRow[]): ProviderTransaction[] {
  const byReference = new Map<string, Row[]>();
  const anonymous: Row[] = [];
  for (const { reference, row } of rows) {
    if (reference === null) anonymous.push(row);
    else byReference.set(reference, [...(byReference.get(reference) ?? []), row]);
  }
  const identified: ProviderTransaction[] = [];
  for (const [reference, sharing] of byReference) {
    const [first, ...others] = bookedFirst(sharing);
    if (first === undefined) continue;
    if (others.every((other) => contentOf(other) === contentOf(first)))
      identified.push({ ...first, providerTransactionId: `${accountId}/reference:${reference}` });
    else anonymous.push(first, ...others);
  }
  return [...identified, ...byContent(accountId, anonymous)];
}

function byContent(accountId: string, rows: readonly Row[]): ProviderTransaction[] {
  const counts = new Map<string, number>();
  return bookedFirst(rows).map((row) => {
    const content = contentOf(row);
    const place = counts.get(content) ?? 0;
    counts.set(content, place + 1);
    return { ...row, providerTransactionId: `${accountId}/content:${content}:${place}` };
  });
}

/** Prevents a new pending row from taking the position of an equal booked one. */
const bookedFirst = (rows: readonly Row[]): Row[] => [
  ...rows.filter(({ pending }) => !pending),
  ...rows.filter(({ pending }) => pending),
];
