import type { Product } from '../link/products.js';

/** How often a product changes at a bank, and so how often it may be asked for. Sources: link-lifecycle 7.4, native-api 8. */
export const PRODUCT_SPEEDS = {
  accounts: 'fast',
  transactions: 'fast',
  identity: 'slow',
  account_numbers: 'slow',
} as const satisfies Record<Product, string>;
export type ProductSpeed = (typeof PRODUCT_SPEEDS)[Product];

/** Milliseconds in which an app may ask for a product once, by its speed. */
export type RefreshLimits = Readonly<Record<ProductSpeed, number>>;

/**
 * How long an app has to wait before it may ask for these products again, in milliseconds; 0 = it may. A window starts
 * with the last accepted request; one product inside its window holds back all. Source: native-api 8.
 */
export function waitForRefresh(
  products: readonly { product: Product; requestedAt: Date | null }[],
  limits: RefreshLimits,
  now: Date,
): number {
  const waits = products.map(({ product, requestedAt }) =>
    requestedAt === null
      ? 0
      : requestedAt.getTime() + limits[PRODUCT_SPEEDS[product]] - now.getTime(),
  );
  return Math.max(0, ...waits);
}
