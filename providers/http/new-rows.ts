import type { AccessServices, ProviderTransaction } from '../contract/provider.js';

type Row = Pick<ProviderTransaction, 'providerTransactionId' | 'providerAccountId'>;

/**
 * Passes each row of a listing once, since pages may overlap. A different row under an id that was
 * used before is passed, too (distinct-rows.ts), and noted: its bank uses ids for several rows.
 */
export function newRows({ note }: Pick<AccessServices, 'note'>): (row: Row) => boolean {
  const rows = new Map<string, Row[]>();
  return (row) => {
    const { providerTransactionId: id, providerAccountId: account } = row;
    const known = rows.get(id);
    if (known === undefined) {
      rows.set(id, [row]);
      return true;
    }
    if (known.some((other) => JSON.stringify(other) === JSON.stringify(row))) return false;
    known.push(row);
    note({ scope: 'value', account, resource: 'transaction', field: 'id', reason: 'repeated' });
    return true;
  };
}
