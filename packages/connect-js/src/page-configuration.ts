import { ConnectConfigurationError } from './configuration.js';
import { withoutTrailingSlashes } from './without-trailing-slashes.js';

/**
 * @throws ConnectConfigurationError when this is not an http(s) URL; @returns it without query,
 * fragment and trailing slash
 */
export function readBaseUrl(address: unknown): URL {
  let url: URL | undefined;
  try {
    url = new URL(String(address));
  } catch {
    // reported below
  }
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ConnectConfigurationError(
      `connectBaseUrl must be an http(s) address, not ${JSON.stringify(address)}.`,
    );
  url.search = '';
  url.hash = '';
  url.pathname = withoutTrailingSlashes(url.pathname);
  return url;
}

/** @throws ConnectConfigurationError when the page has no such element */
export function findContainer(container: Element | string): Element {
  const element = typeof container === 'string' ? document.querySelector(container) : container;
  if (element?.nodeType === 1) return element;
  throw new ConnectConfigurationError(
    `container ${typeof container === 'string' ? JSON.stringify(container) : ''} is not on this page.`,
  );
}
