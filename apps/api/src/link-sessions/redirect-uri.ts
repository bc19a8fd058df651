import { parseUrl } from '../../../../domain/addresses/parse-url.js';
import type { Environment } from '../../../../domain/api/environment.js';

/** Schemes with a meaning of their own in browsers; an app cannot register them. */
const FOREIGN_SCHEMES = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'filesystem:',
  'blob:',
  'about:',
  'view-source:',
  'ftp:',
  'ws:',
  'wss:',
  'mailto:',
  'tel:',
  'sms:',
  'intent:',
  'content:',
]);
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/[^\s\\\p{Cc}]*$/iu;
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** The problem of a redirect_uri, or null. Source: link-lifecycle 2.4. */
export function redirectUriProblem(uri: string): string | null {
  if (isAbsolute(uri) && (uri.includes('?') || uri.includes('#')))
    return 'Must have no query and no fragment.';
  return completionUriProblem(uri);
}

/** The same for the completion page of a hosted session, which may have a query. Source: plaid-compat 6.1, `hosted_link`. */
export function completionUriProblem(uri: string): string | null {
  if (!isAbsolute(uri)) return 'Must be an absolute address.';
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '') return 'Must not hold a user name or password.';
  if (protocol === 'https:') return null;
  if (protocol === 'http:')
    return LOOPBACK.test(hostname) ? null : 'Must be https; http only for loopback hosts.';
  return FOREIGN_SCHEMES.has(protocol) ? 'Must be https, or the scheme of an app.' : null;
}

function isAbsolute(uri: string): boolean {
  return ABSOLUTE.test(uri) && parseUrl(uri) !== null;
}

/**
 * Returns whether the app's allow-list contains the address, compared by scheme, host and port. An empty list allows any address
 * in Sandbox and none in Live.
 */
export function isRedirectAllowed(
  uri: string,
  allowList: readonly string[],
  environment: Environment,
): boolean {
  if (allowList.length === 0) return environment === 'sandbox';
  return allowList.some((entry) => parseUrl(entry) !== null && originOf(entry) === originOf(uri));
}

function originOf(address: string): string {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host.toLowerCase()}`;
}
