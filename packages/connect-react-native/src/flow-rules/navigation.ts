import { isSameOrigin, parseOrigin } from '@tributary/connect-js/core';

/** In the WebView, in the system's browser, or nowhere. */
export type Navigation = 'load' | 'outside' | 'refuse';

export interface NavigationRequest {
  address: string;
  mainFrame: boolean;
  byUser: boolean;
  newWindow: boolean;
}

/**
 * What happens to an address that the WebView is about to load. Only Connect itself is loaded; other web addresses open
 * outside, and only by the user's tap. Schemes of apps are never opened: a page could start any app with them.
 */
export function decideNavigation(
  baseAddress: string,
  { address, mainFrame, byUser, newWindow }: NavigationRequest,
): Navigation {
  if (parseOrigin(address) === undefined) return 'refuse';
  if (isSameOrigin(baseAddress, address) && mainFrame && !newWindow) return 'load';
  return byUser ? 'outside' : 'refuse';
}
