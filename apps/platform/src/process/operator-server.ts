import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { createGauge } from '../metrics/create-metric.js';
import { examine, type HealthCheck } from './health-check.js';

export interface OperatorServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface OperatorServerOptions {
  host: string;
  /** 0 = a free port. */
  port: number;
  registry: Registry;
  checks: readonly HealthCheck[];
}

/** Nothing large comes to it, and from few. Milliseconds. */
const TIMEOUTS = {
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
};
const MAX_CONNECTIONS = 200;

/** What only the operator may reach, on a port of its own: `/metrics`, `/health/live` and `/health/ready`. */
export async function startOperatorServer({
  host,
  port,
  registry,
  checks,
}: OperatorServerOptions): Promise<OperatorServer> {
  collectHealth(registry, checks);
  const server = createServer(TIMEOUTS, (request, response) => {
    answer(request, response, { registry, checks }).catch(() => response.writeHead(500).end());
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answers = Pick<OperatorServerOptions, 'registry' | 'checks'>;

/** What is read here is read by GET: a request that a service was talked into sending (a webhook is a POST) learns nothing. */
const READABLE: Record<string, (response: ServerResponse, answers: Answers) => Promise<void>> = {
  '/metrics': async (response, { registry }) => {
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
  },
  '/health/live': async (response) => sendJson(response, 200, { status: 'live' }),
  '/health/ready': async (response, { checks }) => {
    const report = await examine(checks);
    sendJson(response, report.status === 'unavailable' ? 503 : 200, report);
  },
};

/** What readiness says, for alerts. */
function collectHealth(registry: Registry, checks: readonly HealthCheck[]): void {
  createGauge(registry, 'tributary_part_healthy', async function () {
    const { parts } = await examine(checks);
    this.reset();
    for (const [part, found] of Object.entries(parts)) this.set({ part }, found === 'up' ? 1 : 0);
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  answers: Answers,
): Promise<void> {
  const [path = '/'] = (request.url ?? '/').split('?');
  const read = Object.hasOwn(READABLE, path) ? READABLE[path] : undefined;
  if (read === undefined) response.writeHead(404).end();
  else if (request.method !== 'GET') response.writeHead(405, { allow: 'GET' }).end();
  else await read(response, answers);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
