import type { FetchedProduct } from '../../domain/refresh/fetched-data.js';
import type { Product } from '../../domain/link/products.js';
import { PRODUCT_FETCHERS, type FetchRequest } from './product-fetchers.js';

/**
 * Reads a whole product from its source, with the accounts whose data is incomplete.
 * @throws ProviderFailure
 */
export async function readProduct(
  product: Product,
  request: FetchRequest,
): Promise<FetchedProduct> {
  const fetched = await PRODUCT_FETCHERS[product](request);
  const unreported = 'unreported' in fetched ? fetched.unreported : [];
  return { ...fetched, incomplete: request.faults.incomplete(unreported) };
}
