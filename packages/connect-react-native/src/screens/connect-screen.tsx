import { useEffect, useRef, useSyncExternalStore, createElement, type RefAttributes } from 'react';
import { KeyboardAvoidingView, Platform, StyleSheet } from 'react-native';
import type { WebView, WebViewProps } from 'react-native-webview';
import { FailureView } from './failure-view.js';
import type { FlowRunner } from '../flow-runner.js';
import { LoadingView } from './loading-view.js';
import { WEB_VIEW_SETTINGS } from './web-view-settings.js';

/** The hosted app of one flow, and the native screens while it is not loaded. */
export function ConnectScreen({ flow }: { flow: FlowRunner }) {
  const view = useSyncExternalStore(flow.subscribe, flow.view);
  const webView = useRef<WebView>(null);
  useEffect(() => {
    flow.attach((script) => webView.current?.injectJavaScript(script));
  }, [flow]);
  return (
    <KeyboardAvoidingView
      style={styles.fill}
      // The hosted app follows the keyboard itself where the system reports it.
      enabled={Platform.OS === 'android'}
      behavior="height"
      accessibilityViewIsModal
    >
      {view.address !== undefined && (
        <NativeWebView
          // Each load has a channel of its own, and a new WebView has no state of an earlier one.
          key={view.load}
          ref={webView}
          {...WEB_VIEW_SETTINGS}
          source={{ uri: view.address }}
          onMessage={({ nativeEvent }) => flow.message(nativeEvent.data, nativeEvent.url)}
          onShouldStartLoadWithRequest={flow.decide}
          onOpenWindow={({ nativeEvent }) => flow.openWindow(nativeEvent.targetUrl)}
          onNavigationStateChange={({ url }) => flow.arrived(url)}
          onError={() => flow.loadFailed('network')}
          onHttpError={({ nativeEvent }) => flow.httpFailed(nativeEvent.url)}
          onContentProcessDidTerminate={() => flow.loadFailed('content_ended')}
          onRenderProcessGone={() => flow.loadFailed('content_ended')}
        />
      )}
      {view.screen === 'loading' && (
        <LoadingView locale={flow.locale} appearance={view.appearance} onClose={flow.close} />
      )}
      {view.screen === 'failure' && (
        <FailureView
          locale={flow.locale}
          appearance={view.appearance}
          message={flow.failureMessage}
          onRetry={flow.tryAgain}
          onClose={flow.close}
        />
      )}
    </KeyboardAvoidingView>
  );
}

const styles = StyleSheet.create({ fill: { flex: 1 } });

/**
 * The WebView of `react-native-webview`, which is loaded with the first flow. Jest cannot read that package with the
 * preset of React Native alone, so an app's tests can import this one without a mock of it.
 */
function NativeWebView(props: WebViewProps & RefAttributes<WebView>) {
  const native = require('react-native-webview') as typeof import('react-native-webview');
  return createElement(native.WebView, props);
}
