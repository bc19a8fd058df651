import { lazy } from 'react';
import { keepTrying } from '../session/keep-trying.js';
import { loadDeferredTexts } from '../texts/load-texts.js';

/**
 * The screens in files of their own. Nearly every session starts with one of the first three, so
 * its first load is the frame and one of them (connect 12: at most 90 kB); the others load while
 * that one is being read. Screens for failed calls are not among them: they must not need the network.
 */
const FILES = {
  finder: once(() => import('./institution/finder.js')),
  form: once(() => import('./login/form.js')),
  bankRedirect: once(() => import('./login/bank-redirect.js')),
  later: once(async () => {
    const [screens] = await Promise.all([
      import('./deferred/deferred-screens.js'),
      loadDeferredTexts(),
    ]);
    return screens;
  }),
};

export const Finder = lazy(async () => ({ default: (await FILES.finder()).Finder }));
export const Form = lazy(async () => ({ default: (await FILES.form()).Form }));
export const BankRedirect = lazy(async () => ({
  default: (await FILES.bankRedirect()).BankRedirect,
}));
export const Accounts = lazy(async () => ({ default: (await FILES.later()).Accounts }));
export const Code = lazy(async () => ({ default: (await FILES.later()).Code }));
export const Done = lazy(async () => ({ default: (await FILES.later()).Done }));
export const Moved = lazy(async () => ({ default: (await FILES.later()).Moved }));
export const Options = lazy(async () => ({ default: (await FILES.later()).Options }));
export const Permissions = lazy(async () => ({ default: (await FILES.later()).Permissions }));
export const Picture = lazy(async () => ({ default: (await FILES.later()).Picture }));
export const SetupToken = lazy(async () => ({ default: (await FILES.later()).SetupToken }));
export const StepProblem = lazy(async () => ({ default: (await FILES.later()).StepProblem }));
export const TechnicalDetails = lazy(async () => ({
  default: (await FILES.later()).TechnicalDetails,
}));
/** Only in the sandbox, so it is not prefetched. */
export const SandboxHelp = lazy(async () => ({
  default: (await keepTrying(() => import('../sandbox/sandbox-help.js'))).SandboxHelp,
}));

/** Loads the remaining files, so that no later screen waits for its file. */
export function fetchOtherScreens(): void {
  for (const fetchFile of Object.values(FILES)) void fetchFile();
}

function once<File>(load: () => Promise<File>): () => Promise<File> {
  let loading: Promise<File> | null = null;
  return () => (loading ??= keepTrying(load));
}
