import { createFdxBank } from '../../../../apps/vendor-simulators/src/fdx-bank/create-fdx-bank.js';
import { Ledger } from '../../../../apps/vendor-simulators/src/ledger/ledger.js';
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
