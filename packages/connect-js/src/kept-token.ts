import { refusesToken } from '../../connect-protocol/src/payloads.js';
import { checkToken } from './configuration.js';
import type { ConnectCallbacks } from './reporter.js';

// connect 12: the storage of this tab, in which a return page finds that the flow started here. The value names the
// Connect it belongs to, so that it is never sent to another one.
const KEY = 'tributary-connect-flow';

/** @returns the token of the newest flow of this tab with this Connect, undefined without one */
export function keptToken(connectBaseUrl: string): string | undefined {
  try {
    const [token, base] = (window.sessionStorage.getItem(KEY) ?? '').split(' ');
    return base === connectBaseUrl ? checkToken(token) : undefined;
  } catch {
    // No storage, or a foreign value: the same as an empty storage.
    return undefined;
  }
}

/** Replaces the token of an earlier flow. A storage that throws keeps nothing. */
export function keepToken(connectBaseUrl: string, token: string): void {
  withStorage((storage) => storage.setItem(KEY, `${token} ${connectBaseUrl}`));
}

/** Unless a newer flow has replaced it. */
export function forgetToken(connectBaseUrl: string, token: string): void {
  if (keptToken(connectBaseUrl) === token) withStorage((storage) => storage.removeItem(KEY));
}

/** The callbacks of a flow; the final one, or an error that refuses the token, first calls `forget`. */
export function forgettingCallbacks(
  callbacks: ConnectCallbacks,
  forget: () => void,
): ConnectCallbacks {
  return {
    ...callbacks,
    onError(error) {
      if (refusesToken(error)) forget();
      return callbacks.onError?.(error);
    },
    onSuccess(success) {
      forget();
      return callbacks.onSuccess(success);
    },
    onExit(exit) {
      forget();
      return callbacks.onExit?.(exit);
    },
  };
}

function withStorage(work: (storage: Storage) => void): void {
  try {
    work(window.sessionStorage);
  } catch {
    // Blocked or full.
  }
}
