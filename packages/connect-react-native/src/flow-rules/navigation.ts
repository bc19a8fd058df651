import { isSameOrigin, parseOrigin } from '@tributary/connect-js/core';

export interface Navigation {
  /** The target, as the WebView reports it. */
  address: string;
  mainFrame: boolean;
  /** The user's tap caused it. */
  byUser: boolean;
  /** The page requests another window. */
  newWindow: boolean;
}

/**
 * The place where an address is opened: in the WebView only Connect itself, in its main frame; any other
 * http(s) address outside, by the user's tap; all others, such as addresses of apps, are refused.
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

/** An address below the base address: `/start`, `/continue` and the service's files beside them. */
function isConnect(base: string, address: string): boolean {
  return isSameOrigin(base, address) && pathOf(address).startsWith(`${pathOf(base)}/`);
}

function pathOf(address: string): string {
  return address.replace(/^https?:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
}
