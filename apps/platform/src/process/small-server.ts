import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of small requests from few callers, such as the operator port. */
export interface SmallServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Milliseconds. */
const TIMEOUTS = {
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
};
const MAX_CONNECTIONS = 200;

/**
 * @param at - port 0 = a free port
 * @throws the system's error when it cannot listen there
 */
export async function startSmallServer(
  at: { host: string; port: number },
  answer: RequestListener,
): Promise<SmallServer> {
  const server = createServer(TIMEOUTS, answer);
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
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
