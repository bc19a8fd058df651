import type { ConnectCallbacks, ConnectError } from '@tributary/connect-js/core';
import type { ConnectStatus } from './options.js';

/** The status of the latest flow in `useConnect`. */
export interface FlowReport {
  status: ConnectStatus;
  /** The last one of the latest flow. */
  error: ConnectError | null;
}

/** The app's callbacks, each called after the update of the report. */
export function reportStatus(
  callbacks: ConnectCallbacks,
  set: (change: Partial<FlowReport>) => void,
): Required<ConnectCallbacks> {
  return {
    onReady: () => {
      set({ status: 'open' });
      callbacks.onReady?.();
    },
    onEvent: (event) => callbacks.onEvent?.(event),
    onError: (error) => {
      set({ error });
      callbacks.onError?.(error);
    },
    onSuccess: (success) => {
      set({ status: 'success' });
      callbacks.onSuccess(success);
    },
    onExit: (exit) => {
      set({ status: 'exited' });
      callbacks.onExit?.(exit);
    },
  };
}
