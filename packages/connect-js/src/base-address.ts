import { ConnectConfigurationError } from './configuration.js';
import { parseOrigin } from './origin.js';

/**
 * `connectBaseUrl` outside a browser, where there is no `URL` to rely on.
 * @returns the address without query, fragment and trailing slashes
 * @throws ConnectConfigurationError when it is not an http(s) address with an origin that
 * `parseOrigin` takes
 */
export function readBaseAddress(address: unknown): string {
  if (typeof address === 'string' && parseOrigin(address) !== undefined)
    return address.replace(/[?#].*$/, '').replace(/\/+$/, '');
  throw new ConnectConfigurationError(
    `connectBaseUrl must be an http(s) address with scheme and host in lower case, not ${JSON.stringify(address)}.`,
  );
}
