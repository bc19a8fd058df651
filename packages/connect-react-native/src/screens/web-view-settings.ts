import { Platform } from 'react-native';
import type { WebViewProps } from 'react-native-webview';

/**
 * The WebView's settings: connect 9.4. No prop of ours changes them, so no app can weaken them.
 * @see docs of `react-native-webview`, Reference.md
 */
export const WEB_VIEW_SETTINGS = {
  javaScriptEnabled: true,
  // Its list is an unanchored prefix, and opens refused addresses without a check; the flow decides instead.
  originWhitelist: ['*'],
  domStorageEnabled: false,
  thirdPartyCookiesEnabled: false,
  sharedCookiesEnabled: false,
  // On Android it would empty the cookies of the whole app (react-native-webview#3988).
  incognito: Platform.OS === 'ios',
  allowFileAccess: false,
  allowFileAccessFromFileURLs: false,
  allowUniversalAccessFromFileURLs: false,
  geolocationEnabled: false,
  allowsBackForwardNavigationGestures: false,
  allowsLinkPreview: false,
  javaScriptCanOpenWindowsAutomatically: false,
  setSupportMultipleWindows: true,
  mixedContentMode: 'never',
  webviewDebuggingEnabled: __DEV__,
  contentInsetAdjustmentBehavior: 'never',
  keyboardDisplayRequiresUserAction: false,
} as const satisfies WebViewProps;
