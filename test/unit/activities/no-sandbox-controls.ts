import type { SandboxControls } from '../../../providers/contract/provider.js';

const notAskedHere = () => Promise.reject(new Error('not asked here'));

/** A sandbox provider that supports only the calls that a test adds. */
export const NO_SANDBOX_CONTROLS: SandboxControls = {
  expirePermission: notAskedHere,
  logIn: notAskedHere,
  runScript: notAskedHere,
  createFault: notAskedHere,
  listFaults: notAskedHere,
  worldOfFault: notAskedHere,
  liftFault: notAskedHere,
  forgetWorld: notAskedHere,
};
