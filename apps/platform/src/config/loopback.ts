import { isIPv4 } from 'node:net';
import { parseUrl } from '../../../../domain/addresses/parse-url.js';

/** True for an http(s) address that only this machine can reach. */
export function isLoopback(address: string): boolean {
  const host = parseUrl(address)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}
