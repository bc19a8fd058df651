import type { AccessServices, ProviderTransaction } from '../contract/provider.js';

/**
 * Lets each row of a listing pass once, since pages may overlap. Another row under an id that was
 * there before is lost, so its account is incomplete.
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
