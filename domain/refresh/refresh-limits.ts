import { PRODUCT_SPEEDS, type ProductSpeed } from '../link/product-speed.js';
import type { Product } from '../link/products.js';

/** The window in which an app may request a product once, in milliseconds, by its speed. */
export type RefreshLimits = Readonly<Record<ProductSpeed, number>>;

/**
 * The delay before an app may request these products again, in milliseconds; 0 = none. A window
 * starts with the last accepted request; one product inside its window blocks all. Source:
 * native-api 8.
 */
export function refreshDelayMs(
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
