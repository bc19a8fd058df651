import { Signal } from '../../data/signal.js';

/** The code of a one-time link. It is here alone: the address, and with it the history, has none any more. */
export const signInCode = new Signal<string | null>(null);

/** Takes the code out of the address, now and when another link is opened on the same page. */
export function watchForCodes(): void {
  takeCode();
  window.addEventListener('hashchange', takeCode);
}

function takeCode(): void {
  const { pathname, search, hash } = window.location;
  if (pathname !== '/sign-in' || hash === '') return;
  const code = new URLSearchParams(hash.slice(1)).get('code');
  window.history.replaceState(null, '', pathname + search);
  if (code !== null) signInCode.set(code);
}
