import { InvalidArgumentError } from 'commander';
import { parseUrl } from '../../../domain/addresses/parse-url.js';

/**
 * link-lifecycle 2.4: entries are compared by scheme, host and port; a custom scheme of an app is
 * allowed, too.
 */
export function redirectOrigin(text: string): string {
  const url = originOf(text);
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
}

/** Stands for the phone apps of an app, whose WebViews have no page around them. */
const PHONE_APPS = 'native';

/** connect 8: the origin of an embedding page, as a browser sends it, or `native` for phone apps. */
export function pageOrigin(text: string): string {
  if (text === PHONE_APPS) return text;
  const url = originOf(text);
  if (!['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('A page has http or https.');
  return url.origin;
}

function originOf(text: string): URL {
  const url = parseUrl(text);
  const bare =
    url !== null &&
    ['', '/'].includes(url.pathname) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  if (url === null || !bare || url.host === '')
    throw new InvalidArgumentError(
      'Must be scheme://host[:port], without path, query or user name.',
    );
  return url;
}
