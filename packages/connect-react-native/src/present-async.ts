import {
  ConnectConfigurationError,
  type ConnectExit,
  type ConnectSuccess,
} from '@tributary/connect-js/core';
import type { PresentOptions } from './options.js';

/** The end of a flow, for `await presentLinkFlowAsync()`. */
export type ConnectOutcome =
  | { outcome: 'success'; success: ConnectSuccess }
  | { outcome: 'exit'; exit: ConnectExit };

export type PresentAsyncOptions = Omit<PresentOptions, 'onSuccess' | 'onExit'>;

/**
 * Opens a flow.
 * @param onRemoved the app removed the flow, so that none of its callbacks follows
 * @returns whether it was opened
 * @throws ConnectConfigurationError for a malformed token
 */
export type Present = (options: PresentOptions, onRemoved?: () => void) => boolean;

const REMOVED: ConnectExit = {
  reason: 'programmatic',
  error: null,
  session_id: null,
  institution: null,
  search_term: null,
};

/** The promise form: settled by the final callback, or when the app removes the flow. */
export const presentAsync =
  (present: Present) =>
  (options: PresentAsyncOptions): Promise<ConnectOutcome> =>
    new Promise((resolve, reject) => {
      const left = (exit: ConnectExit): void => resolve({ outcome: 'exit', exit });
      const isOpened = present(
        {
          ...options,
          onSuccess: (success) => resolve({ outcome: 'success', success }),
          onExit: left,
        },
        () => left(REMOVED),
      );
      if (!isOpened) reject(new ConnectConfigurationError('A flow is open already.'));
    });
