import type { Link } from '@tributary/node';

/** The age of the data of a result; a part of every result about links. */
export interface Freshness {
  /** The last successful refresh of the oldest part; null = a part was never refreshed, or there is none. */
  as_of: string | null;
  /** True if a part failed to refresh, is older than planned, or waits for the account owner. */
  stale: boolean;
}

export type ProductName = keyof Link['products'];
/** Complete by the types of the client, which come from the OpenAPI document. */
const ALL = Object.keys({
  accounts: true,
  account_numbers: true,
  identity: true,
  transactions: true,
  investments: true,
  liabilities: true,
} satisfies Record<ProductName, true>) as ProductName[];

/** Of these products of a link; by default of all. */
export function freshnessOf(link: Link, products: readonly ProductName[] = ALL): Freshness {
  const parts = products.flatMap((name) => link.products[name] ?? []);
  if (parts.length === 0) return { as_of: link.last_synced_at, stale: link.state !== 'connected' };
  return oldest(parts.map(({ refreshed_at: as_of, stale }) => ({ as_of, stale })));
}

export function oldest(parts: readonly Freshness[]): Freshness {
  const [first = null] = parts.map(({ as_of }) => as_of ?? '').sort();
  return { as_of: first || null, stale: parts.some(({ stale }) => stale) };
}
