import '../../apps/platform/src/process/supported-node.js';
import { Ledger } from './ledger/ledger.js';
import { logLine, logStartFailure } from './log-line.js';
import { readSettings } from './settings.js';
import { startVendors } from './start-vendors.js';

try {
  const { now, ...place } = readSettings(process.env);
  const servers = await startVendors(place, new Ledger({ now }));
  for (const { vendor, url, port } of servers) {
    logLine('info', 'vendor_simulator.listening', { vendor, port, url });
    process.send?.({ kind: 'vendor_simulator.listening', vendor, url });
  }
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
