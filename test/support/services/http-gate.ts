import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const TRICKLE_MS = 20;

/** The fate of one request on its way to the service. */
export type Fault =
  | 'pass'
  /** Something in front of the service responds. */
  | { respond: number; headers?: Record<string, string>; body?: string }
  /** The service receives it and responds; the connection breaks before the response arrives. */
  | 'lose_response'
  /** The connection breaks in the middle of the body of the response. */
  | 'cut_response'
  /** It arrives, and no response comes until the gate closes. */
  | 'hang'
  /** The headers arrive a byte at a time, or after them the body, until the caller leaves. */
  | { trickle: 'headers' | 'body' }
  /** The first byte of the body of the response arrives, and then nothing. */
  | 'silence_response'
  /** It is forwarded when the promise resolves, which is asked for as it arrives. */
  | { hold: () => Promise<unknown> };

export interface GateRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Of `performance.now()`. */
  at: number;
}

/** An HTTP proxy between a client and the service, which fails as a test plans it. */
export interface HttpGate {
  url: string;
  /** The requests that arrived since the last `plan` or `reset`. */
  readonly requests: GateRequest[];
  /** The next requests of a path (`GET /links`, without query) meet these faults, one each; later ones pass. */
  plan(route: string, ...faults: Fault[]): void;
  reset(): void;
  /** The requests of a route so far. */
  of(route: string): GateRequest[];
  close(): Promise<void>;
}

/** @param target the address of the service; a function if it starts after the gate */
export async function openHttpGate(target: () => string): Promise<HttpGate> {
  const agent = new Agent({ keepAlive: true });
  const planned = new Map<string, Fault[]>();
  const requests: GateRequest[] = [];
  const server = createServer((incoming, response) => {
    const { method = '', url: path = '/', headers } = incoming;
    requests.push({ method, path, headers, at: performance.now() });
    const fault = planned.get(routeOf({ method, path }))?.shift();
    void pass(incoming, response, fault);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function pass(
    incoming: IncomingMessage,
    response: ServerResponse,
    fault: Fault | undefined,
  ): Promise<void> {
    if (fault === 'hang') return;
    if (typeof fault === 'object' && 'trickle' in fault)
      return trickle(incoming.socket, fault.trickle);
    if (typeof fault === 'object' && 'respond' in fault)
      return void response.writeHead(fault.respond, fault.headers).end(fault.body);
    if (typeof fault === 'object') await fault.hold();
    const { method, url: path = '/', headers } = incoming;
    const outgoing = sendRequest(
      new URL(path, target()),
      { method, headers: { ...headers, host: new URL(target()).host }, agent },
      (answer) => {
        const { statusCode = 502 } = answer;
        if (fault === 'lose_response')
          return void answer.resume().once('end', () => response.destroy());
        response.writeHead(statusCode, answer.headers);
        if (fault !== 'cut_response' && fault !== 'silence_response')
          return void answer.pipe(response);
        answer.once('data', (chunk: Buffer) =>
          response.write(chunk.subarray(0, 1), () => {
            if (fault === 'cut_response') response.destroy();
          }),
        );
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    plan(route, ...faults) {
      requests.length = 0;
      planned.set(route, faults);
    },
    reset() {
      requests.length = 0;
      planned.clear();
    },
    of: (route) => requests.filter((request) => routeOf(request) === route),
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Each byte arrives long before the limit of a single read. */
function trickle(socket: Socket, part: 'headers' | 'body'): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n');
  socket.write(part === 'headers' ? 'padding: ' : 'content-length: 99999\r\n\r\n');
  const timer = setInterval(() => socket.write('x'), TRICKLE_MS);
  socket.once('close', () => clearInterval(timer));
}

const routeOf = ({ method, path }: Pick<GateRequest, 'method' | 'path'>) =>
  `${method} ${path.replace(/\?.*/, '')}`;
