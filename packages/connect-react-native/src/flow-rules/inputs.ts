import type { Appearance, Theme } from '@tributary/connect-js/core';

// Inputs and effects are JSON, so that SDKs of other languages can be compared with this one by
// packages/connect-vectors: hence their names in snake_case.

export interface FlowOptions {
  application_name?: string | null;
  theme?: Theme | null;
  appearance?: Appearance | null;
  /** BCP 47. */
  locale: string;
  close_on_success?: boolean | null;
}

interface Begin {
  /** 22 or more characters of A-Z, a-z, 0-9, _ and -, random where the platform supports it; distinguishes loads. */
  channel: string;
  options: FlowOptions;
}

export type TimerName = 'hello' | 'ack' | 'exit';

/** The inputs of a flow; `at` is the time in milliseconds since 1970. */
export type FlowInput = { at: number } & (
  | ({ type: 'present'; link_session_token: string } & Begin)
  /** After process death: a return address that the service confirmed while no flow was open. */
  | ({ type: 'resume'; url: string; link_session_token: string | null } & Begin)
  /** The app was opened with an address; it is not known whether anything can be continued. */
  | { type: 'opened'; url: string; link_session_token: string | null }
  /** `origin` is the address or origin the WebView vouches for. */
  | { type: 'message'; text: string; origin: string; main_frame: boolean }
  /** The page requests a navigation; `decideNavigation` returns the answer for the WebView. */
  | {
      type: 'navigate';
      address: string;
      main_frame: boolean;
      by_user: boolean;
      new_window: boolean;
    }
  /** The main frame has arrived at the address. */
  | { type: 'arrived'; address: string }
  | { type: 'load_failed'; cause: 'network' | 'http' | 'content_ended' }
  /** The session of `open_auth` with this number ended. */
  | { type: 'auth_ended'; attempt: number; outcome: 'returned'; url: string }
  | { type: 'auth_ended'; attempt: number; outcome: 'cancelled' | 'dismissed' | 'failed' }
  /** A return address that the service confirmed for the flow that is open. */
  | { type: 'link'; url: string }
  /** The app's own `exit`. */
  | { type: 'exit'; force: boolean }
  /** Android's back key. */
  | { type: 'back' }
  /** The buttons of the native views. */
  | { type: 'close' }
  | { type: 'try_again' }
  | { type: 'restyle'; theme: Theme | null; appearance: Appearance | null }
  | { type: 'tick'; timer: TimerName }
  | { type: 'unmount' }
);

export type InputOf<Type extends FlowInput['type']> = Extract<FlowInput, { type: Type }>;
