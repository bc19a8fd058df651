interface Vendor {
  /** The banks of the ledger that it can read. */
  banks: readonly string[];
  /** The number of consecutive ports that it listens on. */
  ports: number;
}

/** All vendors can read Meridian Bank. */
const US = ['meridian', 'harbour', 'prairie'];
const EUROPE = ['meridian', 'riviere', 'saaristo', 'faro'];

/** The vendors. Each is the folder of its name, with a `server.ts` that `startVendor` loads. */
export const VENDORS = {
  simplefin: { banks: [...US, 'summit'], ports: 1 },
  'enable-banking': { banks: EUROPE, ports: 1 },
  fdx: { banks: US, ports: 2 },
} satisfies Record<string, Vendor>;
export type VendorName = keyof typeof VENDORS;

export const VENDOR_NAMES = Object.keys(VENDORS) as [VendorName, ...VendorName[]];
