import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { adminRoutes } from '../admin/admin-routes.js';
import { misbehave } from '../http/misbehave.js';
import { changeAnswer, send } from '../http/reply.js';
import { serveRoutes, type Listener, type Route } from '../http/route.js';
import { targetOf } from '../http/simulator-request.js';
import type { Ledger } from '../ledger/ledger.js';
import type { VendorName } from '../ledger/ledger.types.js';
import { logLine } from '../log-line.js';
import { refuseInProduction } from './refuse-in-production.js';

export interface VendorServerOptions {
  ledger: Ledger;
  /** 0 = any free one, the default. */
  port?: number;
  /** 127.0.0.1 by default: only this machine reaches a simulator. */
  host?: string;
  /** Serves https with this key and certificate. */
  tls?: TlsOptions;
}

/** The vendor's part of the common frame. */
export interface VendorParts {
  /** Handles all requests outside /simulator. */
  listener: Listener;
  /** More addresses under /simulator/<vendor>, for tests. */
  admin?: Route[];
}

export interface VendorServer {
  vendor: VendorName;
  /** Without a slash at the end. */
  url: string;
  port: number;
  ledger: Ledger;
  close(): Promise<void>;
}

/**
 * Starts the frame that all vendors share: it records every request, misbehaves as ordered, serves
 * the calls for tests under /simulator, and passes the rest to the vendor.
 * @param build is called once the address is known, since vendors include it in responses
 */
export async function startVendorServer(
  vendor: VendorName,
  { ledger, port = 0, host = '127.0.0.1', tls }: VendorServerOptions,
  build: (url: string) => VendorParts | Promise<VendorParts>,
): Promise<VendorServer> {
  refuseInProduction(process.env);
  let listener: Listener = (_incoming, response) => send(response, { status: 503 });
  const onRequest: RequestListener = (incoming, response) => {
    Promise.resolve(listener(incoming, response)).catch((error: unknown) => {
      const text = error instanceof Error ? error.stack : String(error);
      logLine('error', 'vendor_simulator.failed', { vendor, text });
      if (response.headersSent) response.destroy();
      else send(response, { status: 500, json: { error: 'The simulator failed.' } });
    });
  };
  const server = tls === undefined ? createPlainServer(onRequest) : createTlsServer(tls, onRequest);
  await listen(server, port, host);
  const taken = (server.address() as AddressInfo).port;
  const url = `${tls === undefined ? 'http' : 'https'}://${host}:${taken}`;
  try {
    listener = frame(vendor, ledger, await build(url));
  } catch (error) {
    await close(server);
    throw error;
  }
  return { vendor, url, port: taken, ledger, close: () => close(server) };
}

function frame(vendor: VendorName, ledger: Ledger, parts: VendorParts): Listener {
  const admin = serveRoutes([...adminRoutes(ledger, vendor), ...(parts.admin ?? [])]);
  return (incoming, response) => {
    const { pathname: path, searchParams } = targetOf(incoming);
    if (path.startsWith('/simulator/')) return admin(incoming, response);
    const method = incoming.method ?? '';
    const ordered = ledger.misbehaviors.take({ vendor, method, path });
    const change = ledger.untidyAnswers.changeFor({ vendor, path });
    if (change !== null) changeAnswer(response, change);
    ledger.requests.add({
      vendor,
      method,
      path,
      query: Object.fromEntries(searchParams),
      headerNames: Object.keys(incoming.headers).sort(),
      at: ledger.now().toISOString(),
      misbehavior: ordered?.kind ?? null,
    });
    return ordered === null
      ? parts.listener(incoming, response)
      : misbehave(ordered, incoming, response);
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

/** Closes open connections: silent and slow responses never end by themselves. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
