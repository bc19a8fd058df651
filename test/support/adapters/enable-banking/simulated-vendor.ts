import {
  enableBankingConfiguration,
  linkAtEnableBanking,
  registerApplication,
} from '../../fixtures/enable-banking-application.js';
import { simulatedVendor, type SimulatedVendor } from '../../proof/simulated-vendor.js';
import { startVendorSimulator } from '../../services/vendor-simulators.js';

export default async function startEnableBanking(): Promise<SimulatedVendor> {
  const simulator = await startVendorSimulator('enable-banking');
  return simulatedVendor(
    'enable-banking',
    enableBankingConfiguration(await registerApplication(simulator.url)),
    'DE/Meridian%20Bank',
    simulator,
    (provider, context) => linkAtEnableBanking(provider, context, { url: simulator.url }),
  );
}
