import {
  makeEnvelope,
  NO_CHANNEL,
  readEnvelope,
} from '../../../../packages/connect-protocol/src/envelope.js';
import type { Host, HostListener } from './host.js';
import { dispatchIncoming } from './incoming.js';
import { readInit } from './init-options.js';

/**
 * The handshake with an SDK in the embedding page (connect 8, rules 2, 5, 6): `hello` contains
 * nothing secret and may be sent to any origin; `init` is accepted once, only from the parent and
 * with a port; everything later uses that port.
 */
export function meetEmbeddingPage(channel: string, appVersion: string): Promise<Host> {
  return new Promise((resolve) => {
    const onMessage = (event: MessageEvent<unknown>): void => {
      const envelope = event.source === window.parent ? readEnvelope(event.data, channel) : null;
      const [port] = event.ports;
      if (envelope?.type !== 'init' || port === undefined) return;
      window.removeEventListener('message', onMessage);
      resolve({
        kind: 'frame',
        origin: event.origin,
        init: readInit(envelope.payload),
        ...overPort(port, channel),
      });
    };
    window.addEventListener('message', onMessage);
    window.parent.postMessage(makeEnvelope(channel, 'hello', { app_version: appVersion }), '*');
  });
}

function overPort(port: MessagePort, channel: string): Pick<Host, 'post' | 'listen'> {
  return {
    post: (type, payload = {}) => port.postMessage(makeEnvelope(channel, type, payload)),
    listen: (listener: HostListener) => {
      port.onmessage = ({ data }: MessageEvent<unknown>) => {
        // A return address received by another window comes with an empty channel (connect 8).
        const envelope = readEnvelope(data, channel) ?? readEnvelope(data, NO_CHANNEL);
        if (envelope !== null && (envelope.channel === channel || envelope.type === 'resume'))
          dispatchIncoming(envelope, listener);
      };
    },
  };
}
