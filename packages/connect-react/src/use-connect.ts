'use client';
import type { ConnectError } from '@tributary/connect-js';
import { useCallback } from 'react';
import { useFlow, useLatest, type ConnectStatus, type FlowOptions } from './use-flow.js';

export type { ConnectStatus };

export interface UseConnectOptions extends FlowOptions {
  /** From your back end; null until it is available. A changed one is used by the next `open`. */
  linkSessionToken: string | null;
}

export interface UseConnectResult {
  /** @throws ConnectConfigurationError for an invalid token or a missing container */
  open: () => void;
  exit: (options?: { force?: boolean }) => void;
  /** There is a token to open with. */
  ready: boolean;
  /** The last one of the latest flow. */
  error: ConnectError | null;
  status: ConnectStatus;
}

/**
 * Connect for one component. Callbacks are read when they are called, so a re-render neither
 * rebuilds the frame nor calls an old closure; unmounting removes Connect from the page without a
 * callback.
 */
export function useConnect({ linkSessionToken, ...options }: UseConnectOptions): UseConnectResult {
  const token = useLatest(linkSessionToken);
  const { start, exit, error, status } = useFlow(options);
  const open = useCallback(() => {
    const given = token.current;
    if (given === null) {
      console.warn('Connect: open was ignored, there is no linkSessionToken yet.');
      return;
    }
    start((connect) => connect.open({ linkSessionToken: given }));
  }, [start, token]);
  return { open, exit, ready: linkSessionToken !== null, error, status };
}
