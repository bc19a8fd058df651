import { once } from 'node:events';
import type { Server } from 'node:http';

/** Requests under way get so long when the process stops. */
const GRACE_MS = 8_000;

/**
 * Stops accepting, lets requests under way finish, then closes what is left. Whoever waits for a session has been told
 * by the stopping signal and answers at once.
 */
export async function drain(server: Server, graceMs = GRACE_MS): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  // Idle connections would keep the server open; busy ones become idle when their answer is sent.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
