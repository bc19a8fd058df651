import type {
  ConnectError,
  ConnectEvent,
  ConnectExit,
  ConnectSuccess,
} from '../../connect-protocol/src/payloads.js';

/**
 * connect 9.1: exactly one of `onSuccess` and `onExit` is called, once per opened flow; `onError` any number of times; `onEvent` never after
 * the final one. A callback that throws is reported to the console and stops nothing.
 */
export interface ConnectCallbacks {
  onSuccess: (success: ConnectSuccess) => void;
  onExit?: (exit: ConnectExit) => void;
  onEvent?: (event: ConnectEvent) => void;
  onError?: (error: ConnectError) => void;
  /** The first screen is visible. */
  onReady?: () => void;
}
