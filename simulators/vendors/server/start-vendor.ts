import type { VendorName } from '../vendors.js';
import type { VendorServer, VendorServerOptions } from './start-vendor-server.js';

/** Starts one vendor. It is loaded late: `oidc-provider` writes to the console as soon as it is loaded. */
export async function startVendor(
  vendor: VendorName,
  options: VendorServerOptions,
): Promise<VendorServer> {
  const { start } = (await import(`../${vendor}/server.js`)) as {
    start: (options: VendorServerOptions) => Promise<VendorServer>;
  };
  return start(options);
}
