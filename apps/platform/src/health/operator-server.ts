import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { examine, type HealthCheck } from './health-check.js';

export interface OperatorServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface OperatorServerOptions {
  /** 0 = a free port. */
  port: number;
  registry: Registry;
  checks: readonly HealthCheck[];
}

/** Metrics and health on a port of their own, loopback only: `/metrics`, `/health/live`, `/health/ready`. */
export async function startOperatorServer({ port, registry, checks }: OperatorServerOptions): Promise<OperatorServer> {
  const server = createServer((request, response) => {
    answer(request, response, registry, checks).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
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

async function answer(request: IncomingMessage, response: ServerResponse, registry: Registry, checks: readonly HealthCheck[]): Promise<void> {
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
