import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A load balancer that checks the readiness of its servers, and reacts to a change with a delay.
 */
export interface LateBalancer {
  url: string;
  /** The servers that it sends requests to now. */
  serving(): readonly string[];
  /**
   * The number of requests that it has forwarded, and the failed ones: server, method, path, status
   * and reason.
   */
  readonly forwarded: { count: number; failed: string[] };
  close(): Promise<void>;
}

interface Server {
  url: string;
  agent: Agent;
  isServing: boolean;
}

const LOOK_EVERY_MS = 100;
/**
 * Load balancers close idle connections before a server does, which would otherwise coincide with a
 * request.
 */
const IDLE_MS = 30_000;

/** Requests that a server refuses or cuts off get 502, as from real ones: no request is sent twice. */
export async function startLateBalancer(
  urls: readonly string[],
  lateMs: number,
): Promise<LateBalancer> {
  const servers: Server[] = urls.map((url) => ({
    url,
    agent: new Agent({ keepAlive: true, timeout: IDLE_MS }),
    isServing: true,
  }));
  const timers = new Set<NodeJS.Timeout>();
  const forwarded: LateBalancer['forwarded'] = { count: 0, failed: [] };
  let turn = 0;
  const looking = new Set<Server>();
  const look = setInterval(() => {
    for (const server of servers) {
      if (looking.has(server)) continue;
      looking.add(server);
      void isReady(server.url).then((isServing) => {
        looking.delete(server);
        const timer = setTimeout(() => {
          timers.delete(timer);
          server.isServing = isServing;
        }, lateMs);
        timers.add(timer);
      });
    }
  }, LOOK_EVERY_MS);
  const balancer = createServer((request, response) => {
    forwarded.count += 1;
    const serving = servers.filter(({ isServing }) => isServing);
    // Like most load balancers: if no server is ready, all are tried.
    const candidates = serving.length > 0 ? serving : servers;
    const server = candidates[(turn += 1) % candidates.length];
    if (server === undefined) return;
    const arrivedAt = performance.now();
    response.once('finish', () => {
      const { statusCode, statusMessage } = response;
      if (statusCode >= 500)
        forwarded.failed.push(
          `${server.url} ${request.method} ${request.url} ${statusCode} ${statusMessage} after ${(performance.now() - arrivedAt).toFixed()} ms`,
        );
    });
    forward(request, response, server);
  });
  // It never closes one that a client is about to use.
  balancer.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    serving: () => servers.filter(({ isServing }) => isServing).map(({ url }) => url),
    forwarded,
    close: async () => {
      clearInterval(look);
      timers.forEach(clearTimeout);
      servers.forEach(({ agent }) => agent.destroy());
      balancer.closeAllConnections();
      await new Promise((resolve) => balancer.close(resolve));
    },
  };
}

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, agent }: Server,
): void {
  const { method, url: path, headers } = incoming;
  const outgoing = sendRequest(new URL(path ?? '/', url), { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, code ?? message).end();
  });
  incoming.pipe(outgoing);
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
