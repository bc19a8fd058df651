import { createEnableBankingServer } from './enable-banking/enable-banking-server.js';
import type { Ledger } from './ledger/ledger.js';
import type { VendorName } from './ledger/ledger.types.js';
import type { VendorServer, VendorServerOptions } from './server/start-vendor-server.js';
import { createSimplefinServer } from './simplefin/simplefin-server.js';

/** The start of each vendor; a new vendor is one more line. */
const VENDORS: Readonly<
  Partial<Record<VendorName, (options: VendorServerOptions) => Promise<VendorServer>>>
> = {
  simplefin: createSimplefinServer,
  'enable-banking': createEnableBankingServer,
  // Loaded late: its authorization server writes to the console as soon as it is loaded.
  fdx: async (options) => (await import('./fdx/create-fdx-bank.js')).createFdxBank(options),
};

/** Starts every vendor over one ledger. */
export async function startVendors(
  { host, ports }: { host: string; ports: Readonly<Record<VendorName, number>> },
  ledger: Ledger,
): Promise<VendorServer[]> {
  const started: VendorServer[] = [];
  try {
    for (const [vendor, start] of Object.entries(VENDORS)) {
      started.push(await start({ ledger, host, port: ports[vendor as VendorName] }));
    }
    return started;
  } catch (error) {
    await Promise.all(started.map((server) => server.close()));
    throw error;
  }
}
