import type {
  Appearance,
  InitOptions,
  InitPayload,
  SdkName,
} from '../../connect-protocol/src/init.js';
import type { Theme } from './theme.js';

export interface PhoneInit {
  linkSessionToken?: string | undefined;
  /** The address a bank returned to, when the flow continues from there. */
  continueUrl?: string | undefined;
  applicationName?: string | undefined;
  theme?: Theme | undefined;
  appearance?: Appearance | undefined;
  locale: string;
  platform: Exclude<InitOptions['platform'], 'web'>;
  closeOnSuccess?: boolean | undefined;
  sdk: SdkName;
}

/** The payload of `init` from an SDK around a WebView; the one message with the token. Source: connect 8. */
export function phoneInit({ linkSessionToken, continueUrl, ...options }: PhoneInit): InitPayload {
  return {
    ...(linkSessionToken === undefined ? {} : { link_session_token: linkSessionToken }),
    ...(continueUrl === undefined ? {} : { continue_url: continueUrl }),
    options: {
      application_name: options.applicationName ?? null,
      theme: options.theme ?? null,
      appearance: options.appearance ?? 'system',
      locale: options.locale,
      device: 'mobile',
      platform: options.platform,
      close_on_success: options.closeOnSuccess ?? true,
      inline: false,
      // In a WebView the system opens the bank, so this value has no effect.
      oauth_window: 'popup',
      sdk: options.sdk,
    },
  };
}
