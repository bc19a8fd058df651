import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { createGauge } from '../metrics/create-metric.js';
import { examine, type HealthCheck } from './health-check.js';
import { startSmallServer, type SmallServer } from './small-server.js';

export interface OperatorServerOptions {
  host: string;
  /** 0 = a free port. */
  port: number;
  registry: Registry;
  checks: readonly HealthCheck[];
}

/** Addresses for the operator only, on a port of their own: `/metrics`, `/health/live` and `/health/ready`. */
export async function startOperatorServer({
  host,
  port,
  registry,
  checks,
}: OperatorServerOptions): Promise<SmallServer> {
  collectHealth(registry, checks);
  return startSmallServer({ host, port }, (request, response) => {
    answer(request, response, { registry, checks }).catch(() => response.writeHead(500).end());
  });
}

type Answers = Pick<OperatorServerOptions, 'registry' | 'checks'>;

/** Only GET is served: a request that a service was tricked into sending (a webhook is a POST) reads nothing. */
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

/** The result of readiness, for alerts. */
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
