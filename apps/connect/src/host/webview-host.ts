import { makeEnvelope, readEnvelope, type Envelope } from './envelope.js';
import type { Host, HostListener } from './host.js';
import { dispatchIncoming } from './incoming.js';
import { readInit } from './init-options.js';

declare global {
  interface Window {
    ReactNativeWebView?: { postMessage(message: string): void };
    webkit?: { messageHandlers?: { connect?: { postMessage(message: string): void } } };
    __connectReceive?: (message: unknown) => void;
  }
}

type Bridge = (message: string) => void;

/** The message bridge of a WebView, or null in a browser. */
export function findBridge(): Bridge | null {
  const { ReactNativeWebView: reactNative, webkit } = window;
  if (reactNative !== undefined) return (message) => reactNative.postMessage(message);
  const handler = webkit?.messageHandlers?.connect;
  return handler === undefined ? null : (message) => handler.postMessage(message);
}

/**
 * The same envelopes without a port: out through the bridge as JSON text, in through
 * `window.__connectReceive(envelope)`, which accepts an object or JSON text. The WebView guards who
 * may call it. Source: connect 8, WebViews.
 */
export function meetWebView(bridge: Bridge, channel: string, appVersion: string): Promise<Host> {
  const post = (type: string, payload: object = {}): void =>
    bridge(JSON.stringify(makeEnvelope(channel, type, payload)));
  let listener: HostListener | null = null;
  return new Promise((resolve) => {
    let opened = false;
    window.__connectReceive = (message) => {
      const envelope = readEnvelope(parse(message), channel);
      if (envelope === null) return;
      if (envelope.type !== 'init') return hear(envelope);
      if (opened) return;
      opened = true;
      resolve({
        kind: 'webview',
        origin: null,
        init: readInit(envelope.payload),
        post,
        listen: (to) => {
          listener = to;
        },
      });
    };
    post('hello', { app_version: appVersion });
  });

  function hear(envelope: Envelope): void {
    if (listener !== null) dispatchIncoming(envelope, listener);
  }
}

function parse(message: unknown): unknown {
  if (typeof message !== 'string') return message;
  try {
    return JSON.parse(message);
  } catch {
    return null;
  }
}
