import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Misbehavior, MisbehaviorKind } from '../ledger/scripts/misbehaviors.js';
import { send } from './reply.js';

const HUGE_BYTES = 21 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const SLOW_EVERY_MS = 100;

type Misbehave = (
  response: ServerResponse,
  ordered: Misbehavior,
  incoming: IncomingMessage,
) => void;

const MISBEHAVE: Readonly<Record<MisbehaviorKind, Misbehave>> = {
  refuse: (_response, _ordered, incoming) => void incoming.socket.destroy(),
  // The connection stays open until the client or the server closes it.
  silent: () => undefined,
  slow: (response) => trickle(response),
  huge: (response) => sendHuge(response),
  html_403: (response) =>
    send(response, {
      status: 403,
      text: '<!doctype html><html><head><title>Attention Required!</title></head><body>Sorry, you have been blocked</body></html>',
      contentType: 'text/html; charset=UTF-8',
    }),
  status_500: (response) => send(response, { status: 500, text: 'Internal Server Error' }),
  status_429: (response) =>
    send(response, { status: 429, text: 'Too Many Requests', headers: { 'retry-after': '60' } }),
  broken_json: (response) =>
    send(response, {
      status: 200,
      text: '{"accounts": [{"id": "',
      contentType: 'application/json',
    }),
  wrong_shape: (response) =>
    send(response, { status: 200, json: { accounts: 'none', session_id: 7, unexpected: [true] } }),
  redirect: (response, { location }) => send(response, { status: 302, headers: { location } }),
};

/** Responds to a request, or ignores it, as a misbehaving server does. */
export function misbehave(
  ordered: Misbehavior,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  MISBEHAVE[ordered.kind](response, ordered, incoming);
}

function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{');
  const timer = setInterval(() => response.write(' '), SLOW_EVERY_MS);
  response.on('close', () => clearInterval(timer));
}

/** Written at the pace of the client, so that a client that stops early costs nothing. */
function sendHuge(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"padding":"');
  let left = HUGE_BYTES;
  const write = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= CHUNK.length;
      if (!response.write(CHUNK)) return void response.once('drain', write);
    }
    if (!response.destroyed) response.end('"}');
  };
  write();
}
