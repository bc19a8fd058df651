import { lazy } from 'react';
import { Store } from '../flow/flow-store.js';
import { keepTrying } from '../session/keep-trying.js';
import { loadDeferredTexts } from '../texts/load-texts.js';
import { fetchDeferred, later } from './later.js';
import { once } from './once.js';

/**
 * The screens in files of their own. Nearly every session starts with one of the first three, so
 * its first load is the frame and one of them (connect 12: at most 90 kB); the others load while
 * that one is being read. Screens for failed calls are not among them: they must not need the network.
 */
const FILES = {
  finder: once(() => import('./institution/finder.js')),
  form: once(() => import('./login/form.js')),
  bankRedirect: once(() => import('./login/bank-redirect.js')),
  later: fetchDeferred,
};

export const Finder = lazy(async () => ({ default: (await FILES.finder()).Finder }));
export const Form = lazy(async () => ({ default: (await FILES.form()).Form }));
export const BankRedirect = lazy(async () => ({
  default: (await FILES.bankRedirect()).BankRedirect,
}));
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

/** False until the first screen is visible: what comes from the other files waits for it. */
export const othersRequested = new Store(false);

/** Loads the remaining files, so that no later screen waits for its file. */
export function fetchOtherScreens(): void {
  othersRequested.set(true);
  for (const fetchFile of Object.values(FILES)) void fetchFile();
}
