import type { Ledger } from './ledger/ledger.js';
import type { VendorServer } from './server/start-vendor-server.js';
import { VENDORS } from './vendors.js';

/** Starts every vendor over one ledger. @param port the first of a row of ports; 0 = free ones */
export async function startVendors(
  { host, port }: { host: string; port: number },
  ledger: Ledger,
): Promise<VendorServer[]> {
  const started: VendorServer[] = [];
  let next = port;
  try {
    for (const { start, ports } of Object.values(VENDORS)) {
      started.push(await start({ ledger, host, port: next }));
      if (port !== 0) next += ports;
    }
    return started;
  } catch (error) {
    await Promise.all(started.map((server) => server.close()));
    throw error;
  }
}
