import { useEffect, useInsertionEffect, useRef, useSyncExternalStore } from 'react';
import { BackHandler } from 'react-native';
import { useConnectStore } from './connect-provider.js';
import { ConnectScreen } from './connect-screen.js';
import type { PresentOptions } from './options.js';

/**
 * The flow inside the app's own screen or modal, from its mounting on; unmounting removes it without a callback.
 * Callbacks are read when they are called. Another token is another flow: give the view a `key`.
 */
export function ConnectView(props: PresentOptions) {
  const store = useConnectStore();
  const latest = useRef(props);
  useInsertionEffect(() => {
    latest.current = props;
  });
  const { flow, isInline } = useSyncExternalStore(store.subscribe, store.snapshot);
  useEffect(
    () =>
      store.presentInline({
        ...latest.current,
        onReady: () => latest.current.onReady?.(),
        onEvent: (event) => latest.current.onEvent?.(event),
        onError: (error) => latest.current.onError?.(error),
        onSuccess: (success) => latest.current.onSuccess(success),
        onExit: (exit) => latest.current.onExit?.(exit),
      }),
    [store],
  );
  useEffect(() => {
    if (flow === undefined || !isInline) return undefined;
    const listener = BackHandler.addEventListener('hardwareBackPress', () => {
      flow.back();
      return true;
    });
    return () => listener.remove();
  }, [flow, isInline]);
  return flow === undefined || !isInline ? null : <ConnectScreen flow={flow} />;
}
