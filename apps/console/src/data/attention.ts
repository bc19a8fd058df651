import { Signal } from './signal.js';

const UNATTENDED_AFTER_MS = 15 * 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** True if the page has had no input for 15 minutes: it then reads nothing until someone is back. */
export const unattended = new Signal(false);

let timer: ReturnType<typeof setTimeout>;

function waitAgain(): void {
  clearTimeout(timer);
  timer = setTimeout(() => unattended.set(true), UNATTENDED_AFTER_MS);
}

export function continueReading(): void {
  unattended.set(false);
  waitAgain();
}

/** Follows the input of the page. @returns its end */
export function watchAttention(): () => void {
  const onInput = (): void => {
    if (!unattended.get()) waitAgain();
  };
  for (const name of INPUTS) window.addEventListener(name, onInput, { passive: true });
  waitAgain();
  return () => {
    clearTimeout(timer);
    for (const name of INPUTS) window.removeEventListener(name, onInput);
  };
}
