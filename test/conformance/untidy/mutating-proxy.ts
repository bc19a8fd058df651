import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response of the counterpart, kept from the first request for it. */
interface Kept {
  status: number;
  contentType: string;
  body: string;
}

/** Stands between an adapter and its counterpart, and can change one response. */
export interface MutatingProxy {
  url: string;
  /** The successful responses to GET requests, by path and query. */
  answers: ReadonlyMap<string, string>;
  /** Starts counting again. */
  resetCalls(): void;
  /** The paths with queries since the last reset. */
  calls(): readonly string[];
  /** Sends another body for one request until the next call; null sends only original ones. */
  replace(request: string | null, body?: string): void;
  close(): Promise<void>;
}

const HOP_BY_HOP = ['host', 'connection', 'content-length', 'accept-encoding'];

/**
 * Calls the counterpart once for each path and query, so that its responses stay comparable: times,
 * quotas and keys of continuations do not change between two readings.
 * @param rewrite the path and query that the counterpart receives, as with shorter pages
 */
export async function startMutatingProxy(
  origin: string,
  rewrite: (request: string) => string = (request) => request,
): Promise<MutatingProxy> {
  const kept = new Map<string, Kept>();
  const answers = new Map<string, string>();
  let replaced: { request: string; body: string } | null = null;
  let calls: string[] = [];

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: request = '/' } = incoming;
    calls.push(request);
    const known = method === 'GET' ? kept.get(request) : undefined;
    const { status, contentType, body } = known ?? (await ask(incoming));
    const sent = replaced?.request === request ? replaced.body : body;
    response.writeHead(status, { 'content-type': contentType }).end(sent);
  }

  async function ask(incoming: IncomingMessage): Promise<Kept> {
    const { method = 'GET', url: request = '/' } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
      HOP_BY_HOP.includes(name) || typeof value !== 'string'
        ? []
        : [[name, value] as [string, string]],
    );
    const asked = await fetch(`${origin}${rewrite(request)}`, {
      method,
      headers,
      redirect: 'manual',
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const found = {
      status: asked.status,
      contentType: asked.headers.get('content-type') ?? 'application/json',
      body: await asked.text(),
    };
    if (method !== 'GET') return found;
    kept.set(request, found);
    if (found.status === 200) answers.set(request, found.body);
    return found;
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    resetCalls: () => void (calls = []),
    calls: () => calls,
    replace: (request, body = '') => void (replaced = request === null ? null : { request, body }),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
