import { isLosslessNumber } from 'lossless-json';
import { MCC } from '../../domain/transactions/transaction-details.js';
import type { RemoteObject } from './remote-object.js';

/** A merchant category code, as text or as a number; null = none, which sources also write as 0. */
export function readMcc(row: RemoteObject, field: string): string | null {
  const given = row.any(field);
  if (given === '') return null;
  const code = isLosslessNumber(given)
    ? given.value
    : row.maybe(field, (it) => String(it.wholeNumber(field, { max: 9_999 })));
  const padded = (code ?? '').padStart(4, '0');
  return MCC.test(padded) && padded !== '0000' ? padded : null;
}
