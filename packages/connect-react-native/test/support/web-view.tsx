import { forwardRef, useEffect, useImperativeHandle, useRef } from 'react';
import { View } from 'react-native';
import type { WebViewProps } from 'react-native-webview';

/**
 * The parts of a mounted WebView that a test sees. The test plays the native side, or lets a
 * Chromium page play it.
 */
export interface FakeWebView {
  /** As last rendered. */
  props: WebViewProps;
  /** The address of the page it has loaded. */
  loaded: string;
  /** Scripts that the SDK has injected. */
  readonly injected: string[];
  /** Runs code that is injected from now on. */
  run?: (script: string) => void;
  mounted: boolean;
}

/** Every WebView since the last `forgetWebViews`, oldest first. */
export const webViews: FakeWebView[] = [];

let show: ((view: FakeWebView) => () => void) | undefined;

/**
 * The player of the native side of every WebView from now on. It returns the function to call when
 * the WebView is gone.
 */
export function showWebViews(how: typeof show): void {
  show = how;
}

export function forgetWebViews(): void {
  webViews.length = 0;
}

/** The visible one. */
export function webView(): FakeWebView {
  const shown = webViews.filter(({ mounted }) => mounted).at(-1);
  if (shown === undefined) throw new Error('no WebView is mounted');
  return shown;
}

const withoutFragment = (address: string): string => address.replace(/#.*$/, '');

/** Stands for `react-native-webview`, whose native part does not exist here. */
export const WebView = forwardRef<unknown, WebViewProps>(function WebView(props, ref) {
  const self = useRef<FakeWebView>(undefined);
  const { uri } = props.source as { uri: string };
  self.current ??= { props, loaded: uri, injected: [], mounted: false };
  self.current.props = props;
  // As in every WebView, another fragment alone loads nothing.
  if (withoutFragment(uri) !== withoutFragment(self.current.loaded)) self.current.loaded = uri;
  useImperativeHandle(ref, () => ({
    injectJavaScript(script: string) {
      self.current?.injected.push(script);
      self.current?.run?.(script);
    },
  }));
  useEffect(() => {
    const own = self.current as FakeWebView;
    own.mounted = true;
    // Strict mode runs effects twice.
    if (!webViews.includes(own)) webViews.push(own);
    const hide = show?.(own);
    return () => {
      own.mounted = false;
      hide?.();
    };
  }, []);
  return <View testID="web-view" />;
});

export default WebView;
