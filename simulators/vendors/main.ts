import '../../apps/platform/src/process/supported-node.js';
import { Ledger } from './ledger/ledger.js';
import { logLine, logStartFailure } from './log-line.js';
import { readSettings } from './settings.js';
import type { VendorServer } from './server/start-vendor-server.js';
import { startVendor } from './server/start-vendor.js';
import { VENDOR_NAMES, VENDORS } from './vendors.js';

try {
  const { now, ...place } = readSettings(process.env);
  const servers = await startVendors(place, new Ledger({ now }));
  for (const { vendor, url, port } of servers) {
    logLine('info', 'vendor_simulator.listening', { vendor, port, url });
  }
  const urls = Object.fromEntries(servers.map(({ vendor, url }) => [vendor, url]));
  process.send?.({ kind: 'vendor_simulators.listening', urls });
  const stop = (): void => {
    void Promise.all(servers.map((server) => server.close())).then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // The parent process is gone.
  process.once('disconnect', stop);
} catch (error) {
  logStartFailure(error);
  process.exitCode = 1;
}

/** Starts every vendor over one ledger. @param port the first of a row of ports; 0 = free ones */
async function startVendors(
  { host, port }: { host: string; port: number },
  ledger: Ledger,
): Promise<VendorServer[]> {
  const started: VendorServer[] = [];
  let next = port;
  try {
    for (const vendor of VENDOR_NAMES) {
      started.push(await startVendor(vendor, { ledger, host, port: next }));
      if (port !== 0) next += VENDORS[vendor].ports;
    }
    return started;
  } catch (error) {
    await Promise.all(started.map((server) => server.close()));
    throw error;
  }
}
