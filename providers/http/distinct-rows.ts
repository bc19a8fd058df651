import { contentOf } from '../../domain/digests/row-content.js';
import { idOfOne } from '../../domain/transactions/shared-ids.js';
import type { ProviderTransaction } from '../contract/provider.js';

/**
 * The rows of a whole listing, each once and under an id of its own, in whatever order they were
 * listed. Rows with the same id and content are one row; if rows share an id and differ in
 * content, such as a purchase and its fee, each receives an id made of both.
 */
export function distinctRows(rows: readonly ProviderTransaction[]): ProviderTransaction[] {
  const byId = new Map<string, ProviderTransaction[]>();
  for (const row of rows) {
    const sharing = byId.get(row.providerTransactionId);
    if (sharing === undefined) byId.set(row.providerTransactionId, [row]);
    else sharing.push(row);
  }
  return [...byId].flatMap(([id, sharing]) =>
    sharing.length === 1 ? sharing : withOwnIds(id, sharing),
  );
}

function withOwnIds(id: string, sharing: readonly ProviderTransaction[]): ProviderTransaction[] {
  const byContent = new Map<string, ProviderTransaction>();
  for (const row of sharing.toSorted(latestFirst)) {
    const content = contentOf(row);
    if (!byContent.has(content)) byContent.set(content, row);
  }
  const rows = [...byContent];
  if (rows.length === 1) return rows.map(([, row]) => row);
  return rows.map(([content, row]) => ({ ...row, providerTransactionId: idOfOne(id, content) }));
}

/** A posted row replaces the pending one, and the one that says more the other. */
function latestFirst(one: ProviderTransaction, other: ProviderTransaction): number {
  if (one.pending !== other.pending) return Number(one.pending) - Number(other.pending);
  const [ours, theirs] = [JSON.stringify(one), JSON.stringify(other)];
  return theirs.length - ours.length || (ours < theirs ? -1 : Number(ours > theirs));
}
