import { lazy } from 'react';
import { Store } from '../flow/flow-store.js';
import { keepTrying } from '../session/keep-trying.js';
import { loadDeferredTexts } from '../texts/load-texts.js';
import { fetchDeferred, later } from './later.js';

/*
 * Nearly every session starts with the finder, a form or the way to a bank, so these are in the
 * first load: on a slow network another request costs more than their few kilobytes. So are the
 * screens for failed calls, which must not need the network. The others load while the first one is
 * being read.
 */
export const Accounts = later('Accounts');
export const Code = later('Code');
export const Done = later('Done');
export const Moved = later('Moved');
export const Options = later('Options');
export const Permissions = later('Permissions');
export const Picture = later('Picture');
export const Questions = later('Questions');
export const SetupToken = later('SetupToken');
export const StepProblem = later('StepProblem');
export const TechnicalDetails = later('TechnicalDetails');
export const TimeLimit = later('TimeLimit');
/** Only in the sandbox, so it is not prefetched. */
export const SandboxHelp = lazy(async () => ({
  // Its texts are among those of the deferred screens.
  default: (
    await Promise.all([keepTrying(() => import('../sandbox/sandbox-help.js')), loadDeferredTexts()])
  )[0].SandboxHelp,
}));

/** False until the first screen is visible: what comes from the other file waits for it. */
export const othersRequested = new Store(false);

/** Loads the remaining screens, so that none of them waits for its file. */
export function fetchOtherScreens(): void {
  othersRequested.set(true);
  void fetchDeferred();
}
