import { useEffect, useState, useSyncExternalStore } from 'react';
import { BackHandler } from 'react-native';
import { useConnectControl } from './connect-context.js';
import { ConnectScreen } from './screens/connect-screen.js';
import type { ConnectStore } from './connect-store.js';
import type { PresentOptions } from './options.js';
import { useInlineFlow } from './use-inline-flow.js';

/**
 * The flow inside the app's own screen or modal, from its mounting on; unmounting removes it without a callback.
 * Another token is another flow: give the view a `key`.
 */
export function ConnectView(props: PresentOptions) {
  const store = useConnectControl() as ConnectStore;
  const snapshot = useSyncExternalStore(store.subscribe, store.snapshot);
  const [own] = useState(() => ({ current: {} }));
  useInlineFlow(props, own);
  // There may be another ConnectView, or a modal.
  const flow = snapshot.place === own.current ? snapshot.flow : undefined;
  useEffect(() => {
    if (flow === undefined) return undefined;
    const listener = BackHandler.addEventListener('hardwareBackPress', () => {
      flow.back();
      return true;
    });
    return () => listener.remove();
  }, [flow]);
  return flow === undefined ? null : <ConnectScreen flow={flow} />;
}
