import type { VendorServer, VendorServerOptions } from './server/start-vendor-server.js';

type Start = (options: VendorServerOptions) => Promise<VendorServer>;

interface Vendor {
  start: Start;
  /** The banks of the ledger that it can read. */
  banks: readonly string[];
  /** The number of consecutive ports that it listens on. */
  ports: number;
}

const vendor = (load: () => Promise<Start>, banks: readonly string[], ports = 1): Vendor => ({
  start: async (options) => (await load())(options),
  banks,
  ports,
});

/** All vendors can read Meridian Bank. */
const US = ['meridian', 'harbour', 'prairie'];
const EUROPE = ['meridian', 'riviere', 'saaristo', 'faro'];

/**
 * The vendors. Each is loaded when it starts: `oidc-provider` writes to the console as soon as it is
 * loaded.
 */
export const VENDORS = {
  simplefin: vendor(
    async () => (await import('./simplefin/simplefin-server.js')).createSimplefinServer,
    US,
  ),
  'enable-banking': vendor(
    async () =>
      (await import('./enable-banking/enable-banking-server.js')).createEnableBankingServer,
    EUROPE,
  ),
  fdx: vendor(async () => (await import('./fdx/create-fdx-bank.js')).createFdxBank, US, 2),
};
export type VendorName = keyof typeof VENDORS;

export const VENDOR_NAMES = Object.keys(VENDORS) as [VendorName, ...VendorName[]];
/** The number of ports of all vendors. */
export const PORTS = Object.values(VENDORS).reduce((sum, { ports }) => sum + ports, 0);
