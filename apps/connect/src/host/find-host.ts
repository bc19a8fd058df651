import type { Host } from './host.js';
import { meetEmbeddingPage } from './frame-host.js';
import { standAlone, type Arrival } from './page-host.js';
import { findBridge, meetWebView } from './webview-host.js';

/**
 * The opener of the app, derived from its address: `/start` and `/continue` belong to an SDK,
 * `/hosted` stands alone.
 * Null when an address for an SDK was opened by hand, or the hosted page in a frame.
 */
export function findHost(appVersion: string): Promise<Host> | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const isAlone = window.parent === window;
  // A surrounding page could overlay it, and no SDK has checked whether that page may embed it.
  if (location.pathname.endsWith('/hosted'))
    return isAlone ? Promise.resolve(standAlone(takeArrival(fragment), appVersion)) : null;
  const channel = fragment.get('channel');
  if (channel === null || channel === '') return null;
  const bridge = findBridge();
  if (bridge !== null) return meetWebView(bridge, channel, appVersion);
  return isAlone ? null : meetEmbeddingPage(channel, appVersion);
}

/**
 * The token is in the fragment of the hosted page only; it is removed from address and history at
 * once (connect 12). The id of a session stays there: it is not a secret, and brings a reloaded page
 * back to its session.
 */
function takeArrival(fragment: URLSearchParams): Arrival {
  const continueUrl = new URLSearchParams(location.search).has('oauth_state_id')
    ? location.href
    : null;
  const token = fragment.get('token');
  if (token !== null || continueUrl !== null) history.replaceState(null, '', location.pathname);
  return { linkSessionToken: token, continueUrl, sessionId: fragment.get('session') };
}
