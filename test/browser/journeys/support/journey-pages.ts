import { startPageServer, type Running } from '../../connect-app/support/servers.js';

/** What the SDK told the page, in order. */
export interface Told {
  name: 'success' | 'exit' | 'event' | 'error' | 'ready';
  payload: Record<string, unknown>;
}

/** A page of an integrating app on the built SDK: it keeps what every callback was told. */
const page = (
  connectBaseUrl: string,
  atStart: string,
): string => `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"><title>App</title><link rel="icon" href="data:,"></head>
<body><h1>An app</h1><script type="module">
  import { createConnect } from '/sdk/index.js';
  window.told = [];
  const tell = (name) => (payload) => { window.told.push({ name, payload: payload ?? {} }); };
  const make = (options) => createConnect({
    connectBaseUrl: ${JSON.stringify(connectBaseUrl)}, onSuccess: tell('success'), onExit: tell('exit'), onEvent: tell('event'), onError: tell('error'), onReady: tell('ready'), ...options,
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
 * The app's pages at an origin of their own. `/bank-return` hands its address to the SDK as integration guides say;
 * `/cut-off` is that page behind a policy that takes its opener away; `/forgetful` never hands anything over.
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
