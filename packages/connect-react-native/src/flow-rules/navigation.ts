import { isSameOrigin, parseOrigin } from '@tributary/connect-js/core';

export interface Navigation {
  /** Where to, as the WebView reports it. */
  address: string;
  mainFrame: boolean;
  /** The user's tap caused it. */
  byUser: boolean;
  /** The page wants it in another window. */
  newWindow: boolean;
}

/**
 * Where an address is opened: in the WebView only Connect itself, in its main frame; any other
 * http(s) address outside, by the user's tap; all else nowhere, addresses of apps among it.
 *
 * @param base `connectBaseUrl` as `readBaseAddress` returns it
 */
export function decideNavigation(
  base: string,
  { address, mainFrame, byUser, newWindow }: Navigation,
): 'load' | 'outside' | 'refuse' {
  if (mainFrame && !newWindow && isConnect(base, address)) return 'load';
  const isTapped = byUser && (mainFrame || newWindow);
  return isTapped && parseOrigin(address) !== undefined ? 'outside' : 'refuse';
}

/** An address below the base address: `/start`, `/continue` and what the service puts beside them. */
function isConnect(base: string, address: string): boolean {
  return isSameOrigin(base, address) && pathOf(address).startsWith(`${pathOf(base)}/`);
}

function pathOf(address: string): string {
  return address.replace(/^https?:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
}
