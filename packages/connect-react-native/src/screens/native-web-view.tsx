import { createElement, type RefAttributes } from 'react';
import type { WebView, WebViewProps } from 'react-native-webview';

/**
 * The WebView of `react-native-webview`, which is loaded with the first flow. Jest cannot read that package with the
 * preset of React Native alone, so an app's tests can import this one without a mock of it.
 */
export function NativeWebView(props: WebViewProps & RefAttributes<WebView>) {
  const native = require('react-native-webview') as typeof import('react-native-webview');
  return createElement(native.WebView, props);
}
