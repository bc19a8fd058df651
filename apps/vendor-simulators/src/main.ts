import { Ledger } from './ledger/ledger.js';
import { readSettings } from './settings.js';
import { startVendors } from './start-vendors.js';

try {
  const { now, ...settings } = readSettings(process.env);
  const servers = await startVendors(settings, new Ledger({ now }));
  for (const { vendor, url, port } of servers) {
    const line = { level: 'info', name: 'vendor-simulators', vendor, port, url };
    process.stdout.write(`${JSON.stringify({ ...line, msg: 'vendor_simulator.listening' })}\n`);
    process.send?.({ kind: 'vendor_simulator.listening', vendor, url });
  }
  const stop = (): void => {
    void Promise.all(servers.map((server) => server.close())).then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
