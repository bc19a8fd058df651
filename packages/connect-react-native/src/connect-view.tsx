import { useEffect, useSyncExternalStore } from 'react';
import { BackHandler } from 'react-native';
import { useConnectControl } from './connect-context.js';
import { ConnectScreen } from './connect-screen.js';
import type { ConnectStore } from './connect-store.js';
import type { PresentOptions } from './options.js';
import { useInlineFlow } from './use-inline-flow.js';

/**
 * The flow inside the app's own screen or modal, from its mounting on; unmounting removes it without a callback.
 * Another token is another flow: give the view a `key`.
 */
export function ConnectView(props: PresentOptions) {
  const store = useConnectControl() as ConnectStore;
  const { flow, isInline } = useSyncExternalStore(store.subscribe, store.snapshot);
  useInlineFlow(props);
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
