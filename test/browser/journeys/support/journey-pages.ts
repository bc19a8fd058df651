import { startPageServer, type Running } from '../../connect-app/support/servers.js';

/** A callback of the SDK, in order. */
export interface RecordedCallback {
  name: 'success' | 'exit' | 'event' | 'error' | 'ready';
  payload: Record<string, unknown>;
}

/** A page of an integrating app on the built SDK; it records every callback. */
const page = (
  connectBaseUrl: string,
  atStart: string,
): string => `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"><title>App</title><link rel="icon" href="data:,"></head>
<body><h1>An app</h1><script type="module">
  import { createConnect } from '/sdk/index.js';
  window.callbacks = [];
  const record = (name) => (payload) => { window.callbacks.push({ name, payload: payload ?? {} }); };
  const make = (options) => createConnect({
    connectBaseUrl: ${JSON.stringify(connectBaseUrl)}, onSuccess: record('success'), onExit: record('exit'), onEvent: record('event'), onError: record('error'), onReady: record('ready'), ...options,
  });
  window.openConnect = (linkSessionToken, options) => {
    window.connect?.destroy();
    window.connect = make(options);
    window.connect.open({ linkSessionToken });
  };
  window.openAgain = (linkSessionToken) => window.connect.open({ linkSessionToken });
  window.continueWith = (url, linkSessionToken) => {
    window.connect = make({});
    window.connect.continue({ url, linkSessionToken });
  };
  ${atStart}
</script></body></html>`;

/**
 * The app's pages at their own origin. `/bank-return` passes its address to the SDK as integration
 * guides say; `/cut-off` is that page with a policy that removes its opener; `/forgetful` never
 * passes anything on.
 */
export function startJourneyPages(connectBaseUrl: string): Promise<Running> {
  const handsOver = page(connectBaseUrl, 'window.continueWith(location.href);');
  return startPageServer({
    '/': () => page(connectBaseUrl, ''),
    '/bank-return': () => handsOver,
    '/cut-off': () =>
      page(connectBaseUrl, 'window.opener = null; window.continueWith(location.href);'),
    '/forgetful': () => page(connectBaseUrl, ''),
  });
}
