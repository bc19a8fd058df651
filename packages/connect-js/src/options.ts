import type { Appearance, Device, InitOptions, SdkName } from '../../connect-protocol/src/init.js';
import type { ConnectCallbacks } from './reporter.js';
import type { Theme } from './theme.js';

export interface ConnectOptions extends ConnectCallbacks {
  /** The address of Connect, such as `https://api.example/connect`. */
  connectBaseUrl: string;
  /** Shown to the end user; by default the app's name at the service. */
  applicationName?: string;
  theme?: Theme;
  /** Default `system`. */
  appearance?: Appearance;
  /** BCP 47 tag; by default the browser's language. */
  locale?: string;
  /** Element or selector to render into; by default a layer over the whole page. */
  container?: Element | string;
  /** CSS `z-index` of the layer; default 2147483000. */
  zIndex?: number;
  /** Default `auto`. */
  device?: Device | 'auto';
  /** The window of a bank's own login. `same` replaces the page, as does a blocked popup. Default `popup`. */
  oauthWindow?: InitOptions['oauth_window'];
  /**
   * true removes Connect with `onSuccess`; false shows a success screen until the end user leaves it;
   * `after_reading` shows it for some seconds. Default `after_reading`.
   */
  closeOnSuccess?: InitOptions['close_on_success'];
  /** For the one inline style element, under a content security policy. */
  nonce?: string;
  /** For wrappers of this package: the name under which the service records the opener. */
  sdk?: SdkName;
}

export interface OpenRequest {
  linkSessionToken: string;
}

export interface ContinueRequest {
  /** The full URL the end user returned to. */
  url: string;
  /**
   * By default the token of the flow that this tab opened, which is kept until that flow ends. Without one, the session
   * continues, but its result takes effect only when the back end confirms it for the signed-in user.
   */
  linkSessionToken?: string;
  /**
   * The window that started continues, and this one requests that the browser close it. No other callback
   * is called.
   */
  onHandedOver?: () => void;
}

export type ConnectUpdate = Partial<ConnectCallbacks> &
  Pick<ConnectOptions, 'theme' | 'appearance'>;
