import { createHash } from 'node:crypto';
import type { ProviderTransaction } from '../../contract/provider.js';

/** A row in the result of one request. */
export interface ListedRow {
  row: ProviderTransaction;
  /** All distinguishing fields except the id, with days instead of times. */
  content: string;
}

/**
 * The rows of the requests of one window, each once. Servers return pending rows with every
 * request, some under other ids each time, so equal content in several requests is one row.
 * Whichever timestamp a server compares, rows of equal content are in the same requests: the
 * request that lists most of them lists all.
 */
export function mergeRequests(requests: readonly (readonly ListedRow[])[]): ProviderTransaction[] {
  const merged = new Map<string, ProviderTransaction[]>();
  for (const listed of requests)
    for (const [content, rows] of byContent(listed))
      if (rows.length > (merged.get(content)?.length ?? 0)) merged.set(content, rows);
  return withDistinctIds(merged);
}

/** The rows of one request. A row that is listed twice under its id counts once. */
function byContent(listed: readonly ListedRow[]): Map<string, ProviderTransaction[]> {
  const groups = new Map<string, ProviderTransaction[]>();
  for (const { row, content } of listed) {
    const equal = groups.get(content) ?? [];
    if (equal.every((other) => other.providerTransactionId !== row.providerTransactionId))
      groups.set(content, [...equal, row]);
  }
  return groups;
}

/** Rows that share an id but differ in content are distinguished by their content. */
function withDistinctIds(
  groups: ReadonlyMap<string, readonly ProviderTransaction[]>,
): ProviderTransaction[] {
  const uses = new Map<string, number>();
  for (const { providerTransactionId: id } of [...groups.values()].flat())
    uses.set(id, (uses.get(id) ?? 0) + 1);
  return [...groups].flatMap(([content, rows]) =>
    rows.map((row) =>
      uses.get(row.providerTransactionId) === 1
        ? row
        : { ...row, providerTransactionId: `${row.providerTransactionId}/${digest(content)}` },
    ),
  );
}

const digest = (content: string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);
