import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface OpenServer {
  url: string;
  port: number;
  /** @param withinMs the time for requests in progress, which are then cut off */
  close(withinMs?: number): Promise<void>;
}

/** Listens on a port, 0 = any free one. @param tls serves https with this key and certificate */
export async function openServer(
  listener: RequestListener,
  {
    host,
    port,
    limits = {},
    tls,
  }: {
    host: string;
    port: number;
    limits?: ServerOptions;
    tls?: TlsOptions | undefined;
  },
): Promise<OpenServer> {
  const server =
    tls === undefined
      ? createServer(limits, listener)
      : createTlsServer({ ...limits, ...tls }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${taken}`,
    port: taken,
    async close(withinMs = 0) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), withinMs);
      await closed;
      clearTimeout(deadline);
    },
  };
}
