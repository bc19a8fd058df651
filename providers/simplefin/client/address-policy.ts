import { parseUrl } from '../../../domain/addresses/parse-url.js';
import { literalAddress } from '../../../domain/addresses/address-rules.js';
import { LOOPBACK, publicAnd, type AddressReach } from '../../http/address-reach.js';
import type { SimplefinPublicSettings } from '../settings.js';

/** The addresses that may be called. */
export interface AddressPolicy {
  /** `name`, or `name:port` if the port is not 443. */
  hosts: ReadonlySet<string>;
  /** For literal addresses, and for the addresses a name resolves to when a connection is made. */
  reach: AddressReach;
  allowLoopback: boolean;
}

export function addressPolicyOf({
  hosts,
  allowLoopback,
}: Pick<SimplefinPublicSettings, 'hosts' | 'allowLoopback'>): AddressPolicy {
  // Users type these addresses, so the policy is stricter than for those of operators.
  const reach = publicAnd(allowLoopback ? LOOPBACK : []);
  return { hosts: new Set(hosts), reach, allowLoopback };
}

const MAX_LENGTH = 2_048;
/** Printable ASCII without the characters that URL parsers read in different ways. */
const PLAIN = /^[!-~]+$/;
const AMBIGUOUS = /[\\#@]/;

/**
 * Checks an address that a stranger typed or a server returned, without a connection: https, a host
 * of the list in its plain spelling, nothing else before the path.
 * @returns null = it must not be called
 */
export function checkAddress(text: string, policy: AddressPolicy): URL | null {
  if (text.length > MAX_LENGTH || !PLAIN.test(text) || AMBIGUOUS.test(text)) return null;
  const url = parseUrl(text);
  if (url === null) return null;
  // Detects every other spelling of a host, a default port or a user name.
  if (!text.startsWith(`${url.protocol}//${url.host}/`)) return null;
  if (!policy.hosts.has(url.host)) return null;
  const literal = literalAddress(url.hostname);
  if (literal !== null && policy.reach.refuses(literal)) return null;
  if (url.protocol === 'https:') return url;
  const isLoopback = literal === null ? url.hostname === 'localhost' : true;
  return url.protocol === 'http:' && policy.allowLoopback && isLoopback && url.port !== ''
    ? url
    : null;
}
