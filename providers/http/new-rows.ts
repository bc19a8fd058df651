import type { AccessServices, ProviderTransaction } from '../provider.js';

/**
 * Lets each row of a listing pass once, since pages may overlap. Another row under an id that was
 * there before is lost, so its account is incomplete.
 */
export function newRows({
  note,
}: Pick<AccessServices, 'note'>): (row: ProviderTransaction) => boolean {
  const contents = new Map<string, string>();
  return (row) => {
    const { providerTransactionId: id, providerAccountId: account } = row;
    const [content, known] = [JSON.stringify(row), contents.get(id)];
    if (known === undefined) contents.set(id, content);
    else if (known !== content)
      note({ scope: 'row', account, resource: 'transaction', field: 'id', reason: 'repeated' });
    return known === undefined;
  };
}
