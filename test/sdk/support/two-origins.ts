import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SDK = fileURLToPath(new URL('../../../packages/connect-js/dist/esm/', import.meta.url));

export interface TwoOrigins {
  /** An app that uses the SDK: `/` opens Connect, `/bank-return` resumes. */
  app: string;
  /** Another origin with a stand-in for the hosted app under `/connect`. */
  connectBaseUrl: string;
  stop(): Promise<void>;
}

/**
 * Query parameters of the app's pages choose their headers: `coop` cuts off the opener, `csp` adds
 * a strict policy.
 */
function answerAsApp(connectBaseUrl: () => string) {
  return ({ url = '/' }: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(url, 'http://app.test');
    if (pathname.startsWith('/sdk/')) {
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(readFileSync(join(SDK, basename(pathname))));
      return;
    }
    if (searchParams.has('coop')) response.setHeader('cross-origin-opener-policy', 'same-origin');
    if (searchParams.has('csp')) {
      const origin = new URL(connectBaseUrl()).origin;
      response.setHeader(
        'content-security-policy',
        `default-src 'none'; script-src 'self' 'nonce-n0nce'; style-src 'nonce-n0nce'; frame-src ${origin}; require-trusted-types-for 'script'`,
      );
    }
    const isReturn = pathname === '/bank-return';
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>App</title>
      <body style="height: 4000px"><button id="link">Link a bank</button>
      <script type="module" nonce="n0nce">
        import { createConnect } from '/sdk/index.js';
        window.calls = [];
        const record = (name) => (payload) => window.calls.push([name, payload]);
        window.connect = createConnect({
          connectBaseUrl: ${JSON.stringify(connectBaseUrl())}, onSuccess: record('success'), onExit: record('exit'), onEvent: record('event'),
          onError: record('error'), onReady: record('ready'), ...${JSON.stringify(Object.fromEntries([...searchParams].filter(([name]) => ['nonce', 'oauthWindow'].includes(name))))},
        });
        document.querySelector('#link').onclick = () => window.connect.open({ linkSessionToken: 'token' });
        if (${isReturn}) window.connect.continue({ url: location.href, onHandedOver: record('handed over') });
      </script>`);
  };
}

/** Handles messages and windows like the hosted app, and shows the messages it received. */
export const HOSTED_APP = `<!doctype html><title>Connect</title>
  <button id="bank">Continue to the bank</button> <button id="done">Done</button> <pre id="heard"></pre>
  <script>
    const channel = new URLSearchParams(location.hash.slice(1)).get('channel');
    const envelope = (on, type, payload = {}) => ({ ns: 'connect', v: 1, channel: on, type, payload });
    const show = (from, { type, payload }) => { heard.textContent += JSON.stringify({ from, type, payload }) + '\\n'; };
    const acknowledgment = (url) => envelope('', 'resume_ack', { oauth_state_id: new URL(url).searchParams.get('oauth_state_id') });
    let port, popup;
    addEventListener('message', (event) => {
      if (event.source === parent && event.data.type === 'init' && !port) {
        port = event.ports[0];
        show(event.origin, event.data);
        port.onmessage = ({ data }) => { show('port', data); if (data.type === 'resume') port.postMessage(acknowledgment(data.payload.url)); };
        port.postMessage(envelope(channel, 'ready', { session_id: 'ses_1', mode: 'link' }));
      } else if (popup && event.source === popup && event.data.type === 'resume') {
        show(event.origin, event.data);
        popup.postMessage(acknowledgment(event.data.payload.url), event.origin);
      }
    });
    // The test sets the address of the "bank", and thereby its redirect target.
    bank.onclick = () => { popup = open(window.bankAddress, '_blank', 'popup'); };
    const institution = { institution_id: 'sandbox-instant-bank', name: 'Instant Bank' };
    // Its last screen is closed at once.
    done.onclick = () => {
      port.postMessage(envelope(channel, 'success', { mode: 'link', exchangeable_token: 'sandbox_xt_1', session_id: 'ses_1', institution, accounts: [], ...window.outcome }));
      port.postMessage(envelope(channel, 'close', {}));
    };
    parent.postMessage(envelope(channel, 'hello', { app_version: '1' }), '*');
  </script>`;

export async function startTwoOrigins(): Promise<TwoOrigins> {
  let connectBaseUrl = '';
  const app = createServer(answerAsApp(() => connectBaseUrl));
  const hosted = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(HOSTED_APP);
  });
  // Two hosts, so that they are also two sites.
  connectBaseUrl = `http://localhost:${await listen(hosted)}/connect`;
  const stop = (server: Server) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    app: `http://127.0.0.1:${await listen(app)}`,
    connectBaseUrl,
    stop: async () => {
      await Promise.all([stop(app), stop(hosted)]);
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, () => resolve((server.address() as AddressInfo).port));
  });
}
