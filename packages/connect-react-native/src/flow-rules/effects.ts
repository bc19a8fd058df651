import type {
  ConnectError,
  ConnectEvent,
  ConnectExit,
  ConnectSuccess,
  Envelope,
} from '@tributary/connect-js/core';
import type { AuthWay } from './auth-way.js';
import type { TimerName } from './inputs.js';

export type Call =
  | { callback: 'onReady'; payload: null }
  | { callback: 'onEvent'; payload: ConnectEvent }
  | { callback: 'onError'; payload: ConnectError }
  | { callback: 'onSuccess'; payload: ConnectSuccess }
  | { callback: 'onExit'; payload: ConnectExit };

/** The actions of an adapter, in order. */
export type FlowEffect =
  | { type: 'load'; address: string }
  | { type: 'send'; envelope: Envelope }
  | {
      type: 'open_auth';
      attempt: number;
      address: string;
      redirect_uri: string;
      way: Exclude<AuthWay, { way: 'unavailable' | 'refuse' }>;
    }
  | { type: 'close_auth'; attempt: number }
  /** Asks the service whether something can be continued: `/session/resumable`. A yes is the input `link`, or without a flow `resume`. */
  | { type: 'ask'; url: string; link_session_token: string | null }
  /** In the user's browser. */
  | { type: 'open_outside'; address: string }
  /** Starts the timer, or stops it with null. A timer that ran out is the input `tick`. */
  | { type: 'timer'; name: TimerName; ms: number | null }
  /** Calls a callback of that flow, counted from 1; one that removes the flow ends the rest of the list, too. */
  | ({ type: 'call'; flow: number } & Call)
  | { type: 'show'; view: 'loading' | 'web' | 'failure' }
  /** Removes the WebView and everything around it. */
  | { type: 'remove' }
  /** For the programmer, in the console. */
  | { type: 'warn'; text: string };
