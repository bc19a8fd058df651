import type { Host } from './host.js';
import { meetEmbeddingPage } from './frame-host.js';
import { standAlone } from './page-host.js';
import { findBridge, meetWebView } from './webview-host.js';

/**
 * Who opened the app, told by its address: `/start` and `/continue` belong to an SDK, `/hosted` to nobody.
 * Null when an address for an SDK was opened by hand, or the hosted page in a frame.
 */
export function findHost(appVersion: string): Promise<Host> | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const isAlone = window.parent === window;
  // A page around it could lay something over it, and no SDK has asked whether that page may.
  if (location.pathname.endsWith('/hosted'))
    return isAlone ? Promise.resolve(standAlone(takeStart(fragment), appVersion)) : null;
  const channel = fragment.get('channel');
  if (channel === null || channel === '') return null;
  const bridge = findBridge();
  if (bridge !== null) return meetWebView(bridge, channel, appVersion);
  return isAlone ? null : meetEmbeddingPage(channel, appVersion);
}

/** The token is in the fragment of the hosted page only; it leaves address and history at once (connect 12). */
function takeStart(fragment: URLSearchParams): {
  linkSessionToken: string | null;
  continueUrl: string | null;
} {
  const continueUrl = new URLSearchParams(location.search).has('oauth_state_id')
    ? location.href
    : null;
  history.replaceState(null, '', location.pathname);
  return { linkSessionToken: fragment.get('token'), continueUrl };
}
