import { createFdxBank } from '../../../../simulators/vendors/fdx/create-fdx-bank.js';
import { Ledger } from '../../../../simulators/vendors/ledger/ledger.js';
import { linkAtFdx, pinnedFdxConfiguration } from '../../fixtures/fdx-bank-configuration.js';
import { simulatedVendor, type SimulatedVendor } from '../../proof/simulated-vendor.js';

export default async function startFdx(): Promise<SimulatedVendor> {
  const bank = await createFdxBank({ ledger: new Ledger() });
  return simulatedVendor(
    'fdx',
    await pinnedFdxConfiguration(bank),
    'meridian-fdx',
    bank,
    linkAtFdx,
  );
}
