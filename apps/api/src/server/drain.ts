import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';

/** Time for running requests to finish when the process stops. */
const GRACE_MS = 8_000;

/**
 * Once the signal aborts, each response, also of a request in progress, has `Connection: close`: clients and load
 * balancers open their next connection, which goes to another process.
 */
export function closeConnectionsAfter(announced: AbortSignal, server: Server): void {
  const inProgress = new Set<ServerResponse>();
  const closeAfterwards = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (announced.aborted) return closeAfterwards(response);
    inProgress.add(response);
    response.once('close', () => inProgress.delete(response));
  });
  announced.addEventListener('abort', () => inProgress.forEach(closeAfterwards), { once: true });
}

/**
 * Stops accepting connections, lets running requests finish, then closes the remaining connections. Calls that
 * wait for a session return immediately, because the stopping signal has aborted.
 */
export async function drain(server: Server, graceMs = GRACE_MS): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  // Idle connections would keep the server open; busy ones become idle once their response is sent.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
