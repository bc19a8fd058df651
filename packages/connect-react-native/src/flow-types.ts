import type {
  ConnectError,
  ConnectEvent,
  ConnectExit,
  ConnectSuccess,
  Envelope,
  PhoneInit,
} from '@tributary/connect-js/core';
import type { LoginSystem, LoginWay } from './flow-rules/login-way.js';

/** What a flow is opened with, without its callbacks. */
export interface FlowSettings {
  /** Of Connect, without query, fragment and trailing slashes. */
  baseAddress: string;
  token: string | undefined;
  look: Omit<PhoneInit, 'linkSessionToken' | 'continueUrl'>;
  system: LoginSystem;
}

/** What happens to a flow. */
export type FlowInput =
  | { type: 'present' }
  /** A return from the bank that no open flow waits for, as after the app was ended by the system. */
  | { type: 'resume'; url: string }
  /** Text from the WebView's bridge, with the address of the frame that sent it. */
  | { type: 'message'; text: string; origin: string; main_frame: boolean }
  /** The main frame shows this address now. */
  | { type: 'moved'; address: string }
  | { type: 'load_failed'; reason: 'network' | 'http' | 'content_ended' }
  | { type: 'auth_ended'; url: string }
  /** `dismissed` says nothing: it also comes before a late link. */
  | { type: 'auth_ended'; end: 'cancelled' | 'failed' | 'dismissed' }
  /** A link that opened the app. */
  | { type: 'link'; url: string }
  | { type: 'exit'; force: boolean }
  /** The platform's own way back, or "close" of a native view. */
  | { type: 'back' }
  | { type: 'retry' }
  | {
      type: 'restyle';
      theme: PhoneInit['theme'] | null;
      appearance: NonNullable<PhoneInit['appearance']>;
    }
  | { type: 'tick'; timer: FlowTimer }
  /** The view is gone; no callback is called from here on. */
  | { type: 'destroy' };

/** What a flow asks of its platform, in this order. */
export type FlowEffect =
  | { type: 'load'; address: string }
  | { type: 'send'; message: Envelope }
  | { type: 'open_auth'; address: string; way: LoginWay }
  | { type: 'close_auth' }
  /** null stops it. */
  | { type: 'timer'; name: FlowTimer; ms: number | null }
  | { type: 'call'; callback: 'ready' }
  | { type: 'call'; callback: 'event'; payload: ConnectEvent }
  | { type: 'call'; callback: 'error'; payload: ConnectError }
  | { type: 'call'; callback: 'success'; payload: ConnectSuccess }
  | { type: 'call'; callback: 'exit'; payload: ConnectExit }
  | { type: 'show'; screen: FlowScreen }
  | { type: 'remove' };

export type FlowScreen = 'loading' | 'web' | 'failure';

/** Milliseconds. */
export const TIMERS = {
  /** connect 8: no `hello` in this time means that Connect is unavailable. */
  hello: 10_000,
  /** In this time the page acknowledges an address that it takes. */
  acknowledgement: 2_000,
  /** A page that does not respond must not keep the screen once the app insists. */
  exit: 2_000,
  /** Content that ends again and again is not loaded forever. */
  reloads: 60_000,
} as const;

export type FlowTimer = keyof typeof TIMERS;

/** What an input needs that no input says: both are arguments, so that a flow is a pure function. */
export interface FlowMoment {
  /** A new one, used when this input loads the page. */
  channel: string;
  /** UTC without zone, such as `2026-03-02T10:25:00.000`, for events of our own. */
  now: string;
}
