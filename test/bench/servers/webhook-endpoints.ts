import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// The receivers of the webhook bench: ENDPOINTS ports that return 204 and record when each delivery
// arrived, and one port (`url`) that reports it. Signatures are not verified here; tests cover
// them.
export type EndpointMode = 'answers' | 'fails' | 'hangs' | 'refuses';

const { ENDPOINTS = '20' } = process.env;
const modes: EndpointMode[] = [];
const endpoints: Server[] = [];
const ports: number[] = [];
let requests = 0;
let arrived = new Map<string, number>();
let waiting: { count: number; done: () => void } | undefined;

function take(endpoint: number, request: IncomingMessage, response: ServerResponse): void {
  // The time of arrival is the time of the headers, on the clock that Date.now() reads, with
  // fractions.
  const at = performance.timeOrigin + performance.now();
  request.resume();
  request.once('end', () => {
    if (modes[endpoint] === 'hangs') return;
    if (modes[endpoint] === 'fails') {
      response.writeHead(500).end();
      return;
    }
    requests += 1;
    const id = String(request.headers['service-delivery-token']);
    if (!arrived.has(id)) arrived.set(id, at);
    response.writeHead(204).end();
    if (waiting !== undefined && arrived.size >= waiting.count) waiting.done();
  });
}

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function setMode(endpoint: number, mode: EndpointMode): Promise<void> {
  const server = endpoints[endpoint];
  if (server === undefined) throw new Error(`no endpoint ${endpoint}`);
  modes[endpoint] = mode;
  server.closeAllConnections();
  if (mode === 'refuses') await new Promise((resolve) => server.close(resolve));
  else if (!server.listening) await listen(server, ports[endpoint]);
}

for (let index = 0; index < Number(ENDPOINTS); index += 1) {
  modes.push('answers');
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) =>
    take(index, request, response),
  );
  endpoints.push(server);
  ports.push(await listen(server));
}

const ANSWERS: Record<string, (query: URLSearchParams) => unknown> = {
  '/ports': () => ports,
  '/reset': () => {
    requests = 0;
    arrived = new Map();
  },
  /** Responds when this many different deliveries have arrived. */
  '/until': async (query) => {
    const count = Number(query.get('count'));
    if (arrived.size < count) await new Promise<void>((done) => (waiting = { count, done }));
    waiting = undefined;
    return { requests, different: arrived.size, lastAt: Math.max(...arrived.values()) };
  },
  '/arrived': () => [...arrived],
  '/mode': (query) => setMode(Number(query.get('endpoint')), query.get('mode') as EndpointMode),
};

const control = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control');
  Promise.resolve(ANSWERS[pathname]?.(searchParams)).then(
    (answer) => response.end(JSON.stringify(answer ?? null)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
const port = await listen(control);
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
