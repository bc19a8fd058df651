import {
  makeEnvelope,
  NO_CHANNEL,
  readEnvelope,
  type Envelope,
} from '../../connect-protocol/src/envelope.js';
import type { InitPayload } from '../../connect-protocol/src/init.js';

export interface FrameLinkOptions {
  frame: HTMLIFrameElement;
  /** Origin of `connectBaseUrl`; no message is accepted from or sent to another one. */
  origin: string;
  channel: string;
  /** Payload of `init`, the only message that contains the token. */
  init: InitPayload;
  /** The hosted app is loaded, and draws from now on. */
  onHello: () => void;
  /** The page has arrived; its script follows. */
  onArrival: () => void;
  onMessage: (message: Envelope) => void;
}

export interface FrameLink {
  /** @returns false when there is no frame to receive it */
  send(type: string, payload?: Record<string, unknown>, channel?: string): boolean;
  close(): void;
}

const LOOK_EVERY_MS = 250;

/** 128 random bits, base64url. */
export function randomChannel(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');
}

/** The handshake of connect 8, then the port. */
export function linkFrame({
  frame,
  origin,
  channel,
  init,
  onHello,
  onArrival,
  onMessage,
}: FrameLinkOptions): FrameLink {
  let port: MessagePort | undefined;
  // No event announces it. The empty document of a new frame can be read; that of another origin, or
  // one with another address, has taken its place.
  const arrival = setInterval(() => {
    if (frame.contentDocument?.URL === 'about:blank') return;
    clearInterval(arrival);
    onArrival();
  }, LOOK_EVERY_MS);

  const hear = (event: MessageEvent): void => {
    const target = frame.contentWindow;
    if (target === null || event.origin !== origin || event.source !== target) return;
    if (readEnvelope(event.data, channel)?.type !== 'hello') return;
    clearInterval(arrival);
    // A frame that was reloaded sends hello again; it has lost its port, and the service lets it
    // continue at its step.
    port?.close();
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port.onmessage = ({ data }) => {
      const said = readEnvelope(data, channel) ?? readEnvelope(data, NO_CHANNEL);
      if (
        said !== null &&
        port === port1 &&
        (said.channel === channel || said.type === 'resume_ack')
      )
        onMessage(said);
    };
    target.postMessage(makeEnvelope(channel, 'init', init), origin, [port2]);
    onHello();
  };
  window.addEventListener('message', hear);

  return {
    send(type, payload = {}, on = channel) {
      port?.postMessage(makeEnvelope(on, type, payload));
      return port !== undefined;
    },
    close() {
      clearInterval(arrival);
      window.removeEventListener('message', hear);
      port?.close();
      port = undefined;
    },
  };
}
