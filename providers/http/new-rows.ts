import type { AccessServices, ProviderTransaction } from '../contract/provider.js';

/**
 * Passes each row of a listing once, since pages may overlap. A different row under an id that was
 * used before is lost, so its account is incomplete.
 */
export function newRows({
  note,
}: Pick<AccessServices, 'note'>): (row: ProviderTransaction) => boolean {
  const rows = new Map<string, ProviderTransaction>();
  return (row) => {
    const { providerTransactionId: id, providerAccountId: account } = row;
    const known = rows.get(id);
    if (known === undefined) rows.set(id, row);
    else if (JSON.stringify(known) !== JSON.stringify(row))
      note({ scope: 'row', account, resource: 'transaction', field: 'id', reason: 'repeated' });
    return known === undefined;
  };
}
