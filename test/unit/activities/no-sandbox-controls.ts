import type { SandboxControls } from '../../../providers/contract/provider.js';

const notAskedHere = () => Promise.reject(new Error('not asked here'));

/** A pretend source that is asked for nothing but what a test adds. */
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
