import { serveRoutes } from '../http/route.js';
import {
  startVendorServer,
  type VendorServer,
  type VendorServerOptions,
} from '../server/start-vendor-server.js';

/** Starts a SimpleFIN server. */
export function createSimplefinServer(options: VendorServerOptions): Promise<VendorServer> {
  return startVendorServer('simplefin', options, () => ({ listener: serveRoutes([]) }));
}
