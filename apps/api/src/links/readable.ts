import type { LinkState } from '../../../../domain/link/link-state.js';
import type { Product } from '../../../../domain/link/products.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';

interface ReadableLink {
  state: LinkState;
  everConnected: boolean;
}

/**
 * Returns whether stored data of a granted product may be read. A link in `error` keeps its old data readable, but a product
 * that was never fetched has no data. Source: link-lifecycle 6.5, "product reads".
 */
export function isReadable(link: ReadableLink, product: { refreshedAt: Date | null }): boolean {
  if (link.state === 'connected') return true;
  return link.state === 'error' && link.everConnected && product.refreshedAt !== null;
}

/** Returns whether the state and the granted products of a link allow reading a product. Source: link-lifecycle 6.6. */
export function reads(link: LinkView, product: Product): boolean {
  const granted = link.products.find((status) => status.product === product);
  return granted !== undefined && isReadable(link, granted);
}
