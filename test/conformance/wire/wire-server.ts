import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify } from 'lossless-json';

/** A response, or what happens in place of one. */
export interface Reply {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; `text` as it is. */
  body?: unknown;
  text?: string;
  fate?: 'reset' | 'silence' | 'cut off';
}

export interface WireServer {
  url: string;
  /** Replaced by each test. */
  reply: (url: URL) => Reply;
  /** Paths with queries, until they are cleared. */
  calls: string[];
  close(): Promise<void>;
}

/** A server whose responses are those of the test. */
export async function startWireServer(): Promise<WireServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://source.example');
    wire.calls.push(`${url.pathname}${url.search}`);
    request.resume().on('end', () => send(response, wire.reply(url)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wire: WireServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reply: () => ({ status: 404 }),
    calls: [],
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return wire;
}

function send(response: ServerResponse, { status = 200, headers, body, text, fate }: Reply): void {
  if (fate === 'silence') return;
  if (fate === 'reset') return void response.socket?.resetAndDestroy();
  const sent = text ?? stringify(body) ?? '';
  const type = { 'content-type': 'application/json', ...headers };
  if (fate === 'cut off') {
    response.writeHead(status, { ...type, 'content-length': sent.length + 100 }).write(sent);
    setImmediate(() => response.socket?.destroy());
    return;
  }
  response.writeHead(status, type).end(sent);
}
