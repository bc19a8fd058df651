import { linkAtSimplefin, simplefinConfiguration } from '../../fixtures/simplefin-server.js';
import { simulatedVendor, type SimulatedVendor } from '../../proof/simulated-vendor.js';
import { startVendorSimulator } from '../../services/vendor-simulators.js';

export default async function startSimplefin(): Promise<SimulatedVendor> {
  const simulator = await startVendorSimulator('simplefin');
  return simulatedVendor(
    'simplefin',
    simplefinConfiguration(simulator.url),
    'us',
    simulator,
    (provider, context) => linkAtSimplefin(provider, context, { origin: simulator.url }),
  );
}
