import { once } from 'node:events';
import type { Server } from 'node:http';

/** How long running requests may take when the process stops. */
const GRACE_MS = 8_000;

/**
 * Stops accepting connections, lets running requests finish, then closes what is left. Calls that
 * wait for a session return at once, because the stopping signal has aborted.
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
