import type { Appearance, ConnectCallbacks, Theme } from '@tributary/connect-js/core';

/** How Connect looks; `update` changes theme and appearance while it is open. */
export interface ConnectLook {
  /** Shown to the end user; by default the app's name at the service. */
  applicationName?: string;
  theme?: Theme;
  /** Default `system`. */
  appearance?: Appearance;
  /** BCP 47 tag; by default the language of the device. */
  locale?: string;
  /** false shows a success screen until the end user leaves it. Default true. */
  closeOnSuccess?: boolean;
}

export interface PresentOptions extends ConnectCallbacks, ConnectLook {
  /** From your back end. */
  linkSessionToken: string;
}

export interface ContinueOptions extends ConnectCallbacks, ConnectLook {
  /** An address that opened the app. */
  url: string;
  /** When the app still has the token, the session stays usable, whatever becomes of this one. */
  linkSessionToken?: string;
}

export type ConnectStatus = 'idle' | 'opening' | 'open' | 'success' | 'exited';
