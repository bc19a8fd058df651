import type { ServerResponse } from 'node:http';
import type { Reply } from '../../http/reply.js';
import type { SimulatorRequest } from '../../http/request.js';
import type { Misbehavior, MisbehaviorKind } from '../ledger/scripts/misbehaviors.js';

const HUGE_BYTES = 21 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const SLOW_EVERY_MS = 100;

type Misbehave = (request: SimulatorRequest, ordered: Misbehavior) => Reply | null;

const MISBEHAVE: Readonly<Record<MisbehaviorKind, Misbehave>> = {
  refuse: ({ incoming }) => {
    incoming.socket.destroy();
    return null;
  },
  // The connection stays open until the client or the server closes it.
  silent: () => null,
  slow: ({ response }) => trickle(response),
  huge: ({ response }) => sendHuge(response),
  html_403: () => ({
    status: 403,
    text: '<!doctype html><html><head><title>Attention Required!</title></head><body>Sorry, you have been blocked</body></html>',
    contentType: 'text/html; charset=UTF-8',
  }),
  status_500: () => ({ status: 500, text: 'Internal Server Error' }),
  status_429: () => ({ status: 429, text: 'Too Many Requests', headers: { 'retry-after': '60' } }),
  broken_json: () => ({
    status: 200,
    text: '{"accounts": [{"id": "',
    contentType: 'application/json',
  }),
  wrong_shape: () => ({
    status: 200,
    json: { accounts: 'none', session_id: 7, unexpected: [true] },
  }),
  redirect: (_request, { location }) => ({ status: 302, headers: { location } }),
};

/** Responds to a request, or ignores it, as a misbehaving server does. */
export const misbehave = (request: SimulatorRequest, ordered: Misbehavior): Reply | null =>
  MISBEHAVE[ordered.kind](request, ordered);

function trickle(response: ServerResponse): null {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{');
  const timer = setInterval(() => response.write(' '), SLOW_EVERY_MS);
  response.on('close', () => clearInterval(timer));
  return null;
}

/** Written at the pace of the client, so that a client that stops early costs nothing. */
function sendHuge(response: ServerResponse): null {
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
  return null;
}
