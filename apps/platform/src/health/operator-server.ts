import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
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
  /** Further things for the operator; the first that knows a path answers. */
  endpoints?: readonly OperatorEndpoint[];
}

/** Answers requests for its path and says so; false = not its path. */
export type OperatorEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Nothing large comes to it, and from few. Milliseconds. */
const TIMEOUTS = { requestTimeout: 10_000, headersTimeout: 5_000, connectionsCheckingInterval: 5_000 };
const MAX_CONNECTIONS = 200;

/** What only the operator may reach, on a port of its own: `/metrics`, `/health/live`, `/health/ready` and `endpoints`. */
export async function startOperatorServer({ host, port, registry, checks, endpoints = [] }: OperatorServerOptions): Promise<OperatorServer> {
  const server = createServer(TIMEOUTS, (request, response) => {
    answer(request, response, { registry, checks, endpoints }).catch(() => response.writeHead(500).end());
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

type Answers = Required<Pick<OperatorServerOptions, 'registry' | 'checks' | 'endpoints'>>;

async function answer(request: IncomingMessage, response: ServerResponse, { registry, checks, endpoints }: Answers): Promise<void> {
  for (const endpoint of endpoints) if (await endpoint(request, response)) return;
  const path = (request.url ?? '/').split('?')[0];
  if (path === '/metrics') {
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
  } else if (path === '/health/live') {
    sendJson(response, 200, { status: 'live' });
  } else if (path === '/health/ready') {
    const report = await examine(checks);
    sendJson(response, report.status === 'unavailable' ? 503 : 200, report);
  } else {
    response.writeHead(404).end();
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body));
}
