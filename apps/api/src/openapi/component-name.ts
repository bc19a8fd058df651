import type { RouteDocs } from '../http/route-docs.js';

/**
 * The name of the schema of a body: `links.list` → `LinksListResult`. Generators of clients themselves name types
 * `…Response`.
 */
export function componentName({ id }: RouteDocs, body: 'Request' | 'Result'): string {
  const words = id.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}${body}`;
}
