import { idOfOne } from '../../domain/transactions/shared-ids.js';
import type { ProviderTransaction } from '../contract/provider.js';

type Row = Pick<ProviderTransaction, 'providerTransactionId' | 'pending'>;

/**
 * The rows of a whole listing, each once and under an id of its own, in whatever order they were
 * listed. Rows with the same id and content are one row; if rows share an id and differ in
 * content, such as a purchase and its fee, each receives an id made of both.
 */
export function distinctRows<Listed extends Row>(
  rows: readonly Listed[],
  digestOf: (row: Listed) => string,
): Listed[] {
  const byId = new Map<string, Listed[]>();
  for (const row of rows) {
    const sharing = byId.get(row.providerTransactionId);
    if (sharing === undefined) byId.set(row.providerTransactionId, [row]);
    else sharing.push(row);
  }
  return [...byId].flatMap(([id, sharing]) =>
    sharing.length === 1 ? sharing : withOwnIds(id, sharing, digestOf),
  );
}

function withOwnIds<Listed extends Row>(
  id: string,
  sharing: readonly Listed[],
  digestOf: (row: Listed) => string,
): Listed[] {
  const byContent = new Map<string, Listed>();
  for (const row of sharing.toSorted(latestFirst)) {
    const content = digestOf(row);
    if (!byContent.has(content)) byContent.set(content, row);
  }
  const rows = [...byContent];
  if (rows.length === 1) return rows.map(([, row]) => row);
  return rows.map(([content, row]) => ({ ...row, providerTransactionId: idOfOne(id, content) }));
}

/** A posted row replaces the pending one, and the one that says more the other. */
function latestFirst(one: Row, other: Row): number {
  if (one.pending !== other.pending) return Number(one.pending) - Number(other.pending);
  const [ours, theirs] = [JSON.stringify(one), JSON.stringify(other)];
  return theirs.length - ours.length || (ours < theirs ? -1 : Number(ours > theirs));
}
