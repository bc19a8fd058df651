import type { ServerOptions as TlsOptions } from 'node:https';
import { createListener } from '../../http/listener.js';
import type { Reply } from '../../http/reply.js';
import { serveRoutes, type Handler, type Routes } from '../../http/routes.js';
import { openServer } from '../../http/server.js';
import { adminRoutes } from './admin-routes.js';
import type { Ledger } from '../ledger/ledger.js';
import { logLine } from '../log-line.js';
import { refuseInProduction } from '../settings.js';
import type { VendorName } from '../vendors.js';
import { misbehave } from './misbehave.js';

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
  /** All addresses outside /simulator. */
  routes: Routes;
  /** More addresses under /simulator/<vendor>, for tests. */
  admin?: Routes;
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
  let handle: Handler = () => ({ status: 503 });
  const listener = createListener(
    (request) => handle(request),
    (error) => {
      const text = error instanceof Error ? error.stack : String(error);
      logLine('error', 'vendor_simulator.failed', { vendor, text });
    },
  );
  const server = await openServer(listener, { host, port, tls });
  try {
    handle = frame(vendor, ledger, await build(server.url));
  } catch (error) {
    await server.close();
    throw error;
  }
  // Closes open connections: silent and slow responses never end by themselves.
  return { vendor, ledger, url: server.url, port: server.port, close: () => server.close() };
}

function frame(vendor: VendorName, ledger: Ledger, parts: VendorParts): Handler {
  const serve = serveRoutes(parts.routes);
  const admin = serveRoutes({ ...adminRoutes(ledger, vendor), ...parts.admin });
  return async (request) => {
    const { method, path, query } = request;
    if (path.startsWith('/simulator/')) return admin(request);
    const ordered = ledger.misbehaviors.take({ vendor, method, path });
    ledger.requests.add({
      vendor,
      method,
      path,
      query: Object.fromEntries(query),
      headerNames: Object.keys(request.headers).sort(),
      at: ledger.now().toISOString(),
      misbehavior: ordered?.kind ?? null,
    });
    if (ordered !== null) return misbehave(request, ordered);
    const change = ledger.untidyAnswers.changeFor({ vendor, path });
    const reply = await serve(request);
    return change === null || reply === null ? reply : changed(reply, change);
  };
}

/** Changes the JSON of a response with the status 200. */
function changed(reply: Reply, change: (answer: unknown) => unknown): Reply {
  const { status, json, text, contentType = '' } = reply;
  if (status !== 200) return reply;
  if (json !== undefined) return { ...reply, json: change(JSON.parse(JSON.stringify(json))) };
  return text !== undefined && contentType.startsWith('application/json')
    ? { ...reply, text: JSON.stringify(change(JSON.parse(text))) }
    : reply;
}
