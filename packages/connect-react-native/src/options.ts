import type { ReactNode } from 'react';
import type { Appearance, ConnectCallbacks, Theme } from '@tributary/connect-js/core';

/** The appearance of Connect; `update` changes theme and appearance while it is open. */
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
  /**
   * By default the token of the flow that this process presented last, which is kept until that flow ends. Without one,
   * as after the app was killed, the session continues, but its result takes effect only when the back end confirms it for
   * the signed-in user.
   */
  linkSessionToken?: string | null;
}

export type ConnectStatus = 'idle' | 'opening' | 'open' | 'success' | 'exited';

/** The result of a bank's page in the system's authentication session. */
export type AuthSessionResult =
  | { outcome: 'returned'; url: string }
  /**
   * `cancelled`: the user closed it. `dismissed`: the result is unknown, the return may still arrive as a link. `failed`: it
   * could not be opened.
   */
  | { outcome: 'cancelled' | 'dismissed' | 'failed' };

/**
 * Opens a bank's page outside of the app's WebViews, which banks refuse, and resolves when the session has ended.
 * @param address of the bank
 * @param returnAddress the session's `redirect_uri`, which ends the session
 */
export type OpenAuthSession = (
  address: string,
  returnAddress: string,
) => Promise<AuthSessionResult>;

export interface ConnectProviderProps {
  /** The address of Connect, such as `https://api.example/connect`. */
  connectBaseUrl: string;
  /** Opens a bank's page; by default `expo-web-browser`, and without it the browser of the system. */
  openAuthSession?: OpenAuthSession;
  children?: ReactNode;
}
