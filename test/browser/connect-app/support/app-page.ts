/**
 * A page of an integrating app. It implements the SDK's side by hand, so that a test sees every
 * message and can send wrong ones; sdk.long.test.ts tests the SDK itself.
 */
export function appPage(): string {
  return `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"><title>Pocket Ledger</title><style>
    body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #14181f; background: #f3f5f8; }
    .page { max-width: 720px; margin: 0 auto; padding: 48px 24px; }
    .card { margin: 16px 0; padding: 20px; border-radius: 12px; background: #fff; }
    iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; background: transparent; }
    @media (prefers-color-scheme: dark) { body { color: #f2f4f7; background: #0c0e12; } .card { background: #1a1e25; } }
  </style></head><body>
  <div class="page"><h1>Pocket Ledger</h1><div class="card">Spent this month: $1,284.20</div><div class="card">Connect a bank to see more.</div><button id="opener">Link a bank</button></div>
  <script>
    window.heard = [];
    window.openConnect = ({ base, entry, init, channel, holdInit }) => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox');
      frame.setAttribute('referrerpolicy', 'no-referrer');
      frame.setAttribute('allow', '');
      frame.title = 'Connect';
      frame.src = base + '/' + entry + '#channel=' + channel;
      window.frame = frame;
      window.say = (type, payload = {}) => window.port.postMessage({ ns: 'connect', v: 1, channel, type, payload });
      window.sendInit = () => {
        const pair = new MessageChannel();
        window.port = pair.port1;
        pair.port1.onmessage = ({ data }) => {
          window.heard.push(data);
          if (data.type === 'close') frame.remove();
        };
        frame.contentWindow.postMessage({ ns: 'connect', v: 1, channel, type: 'init', payload: init }, new URL(base).origin, [pair.port2]);
      };
      window.addEventListener('message', ({ data, source, origin }) => {
        if (source !== frame.contentWindow || origin !== new URL(base).origin) return;
        window.heard.push(data);
        if (data.type === 'hello' && !holdInit) window.sendInit();
      });
      document.body.append(frame);
    };
  </script></body></html>`;
}

/**
 * A page at redirect_uri that passes its address to the window that opened the bank's window
 * (connect 7).
 */
export function returnPage(): string {
  return `<!doctype html><html lang="en"><head><title>Back</title></head><body><p>Back from the bank</p><script>
    window.acknowledged = [];
    window.addEventListener('message', ({ data, source }) => { if (source === window.opener) window.acknowledged.push(data); });
    window.handBack = (target) => window.opener.postMessage({ ns: 'connect', v: 1, channel: '', type: 'resume', payload: { url: location.href } }, target);
  </script></body></html>`;
}

export const bankPage = (): string =>
  '<!doctype html><html lang="en"><head><title>OAuth Bank</title></head><body><h1>OAuth Bank</h1></body></html>';
