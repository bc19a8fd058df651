export type Appearance = 'light' | 'dark' | 'system';
export type Platform = 'web' | 'react-native' | 'ios';
export type Device = 'mobile' | 'desktop';

/** The SDK, or a wrapper around it. */
export interface SdkName {
  name: string;
  version: string;
}

/** The SDK's message that starts the app. Source: connect 8, init. */
export interface InitPayload {
  link_session_token?: string;
  continue_url?: string;
  options: InitOptions;
}

export interface InitOptions {
  application_name: string | null;
  theme: unknown;
  appearance: Appearance;
  locale: string;
  device: Device;
  platform: Platform;
  /** `after_reading`: the app shows its last screen, and closes by itself. */
  close_on_success: boolean | 'after_reading';
  /** Inside an element of the page instead of over it (connect 9.2, container). */
  inline: boolean;
  /**
   * connect 9.2, oauthWindow: whether the bank opens in a window of its own or replaces the page.
   */
  oauth_window: 'popup' | 'same';
  sdk: SdkName;
}
