import type { ConnectError } from '../../connect-protocol/src/payloads.js';
import { frameOffline, frameUnavailable } from './texts.js';

// connect 8
const SPINNER_AFTER_MS = 1_000;
const SILENT_FOR_MS = 10_000;

interface LoadWatchOptions {
  locale: string;
  /** Loads the hosted app in a frame of its own, in place of an earlier one. */
  load: () => void;
  /** One second has passed, or the end user is trying again. */
  onSlow: () => void;
  onFailure: (failure: ConnectError) => void;
}

interface LoadWatch {
  /** The reason that nothing is loading at the moment. */
  readonly failure: ConnectError | undefined;
  /** Something has arrived. */
  progress(): void;
  tryAgain(): void;
  /** The hosted app is loaded, or not wanted any more. */
  end(): void;
}

/**
 * The time until the hosted app is loaded. A slow network makes progress and has no limit; silence
 * has one. Without a network the load continues by itself once there is one.
 */
export function watchLoad({ locale, load, onSlow, onFailure }: LoadWatchOptions): LoadWatch {
  let failure: ConnectError | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let offline: ReturnType<typeof setTimeout> | undefined;

  // Only until the first failure or the second attempt, which show more.
  const slow = setTimeout(onSlow, SPINNER_AFTER_MS);
  const stopTimers = (): void => {
    clearTimeout(silence);
    clearTimeout(slow);
    clearTimeout(offline);
  };
  const fail = (cause: ConnectError): void => {
    stopTimers();
    failure = cause;
    onFailure(cause);
  };
  const progress = (): void => {
    if (failure !== undefined) return;
    clearTimeout(silence);
    silence = setTimeout(() => fail(frameUnavailable(locale)), SILENT_FOR_MS);
  };
  const begin = (): void => {
    failure = undefined;
    progress();
    load();
    // The frame loads nevertheless: the service may be on the same machine. Callbacks wait until the
    // caller of `open` has its turn back.
    offline = setTimeout(() => {
      if (!navigator.onLine) goneOffline();
    });
  };
  const goneOffline = (): void => {
    if (failure === undefined) fail(frameOffline(locale));
  };
  const tryAgain = (): void => {
    if (failure === undefined) return;
    onSlow();
    begin();
  };

  window.addEventListener('offline', goneOffline);
  window.addEventListener('online', tryAgain);
  begin();

  return {
    get failure() {
      return failure;
    },
    progress,
    tryAgain,
    end() {
      stopTimers();
      failure = undefined;
      window.removeEventListener('offline', goneOffline);
      window.removeEventListener('online', tryAgain);
    },
  };
}
