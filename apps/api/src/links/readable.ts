import type { LinkState } from '../../../../domain/link/link-state.js';

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
