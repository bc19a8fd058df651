/**
 * Thrown at once when Connect cannot be opened with these options: a mistake of the calling
 * program, never of the end user.
 */
export class ConnectConfigurationError extends Error {
  override readonly name = 'ConnectConfigurationError';
}

// connect 9.2
const TOKEN = /^[A-Za-z0-9_-]{1,256}$/;

/**
 * @throws ConnectConfigurationError when this cannot be a link_session_token; the message does not
 * quote it
 */
export function checkToken(token: unknown): string {
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  throw new ConnectConfigurationError(
    'linkSessionToken must be 1 to 256 characters of A-Z, a-z, 0-9, _ and -.',
  );
}

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
  url.pathname = url.pathname.replace(/\/+$/, '');
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
