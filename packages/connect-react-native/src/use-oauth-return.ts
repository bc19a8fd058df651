import { useEffect, useInsertionEffect, useRef } from 'react';
import { Linking } from 'react-native';
import { useConnectControl } from './connect-context.js';
import { latestCallbacks } from './latest-callbacks.js';
import type { ContinueOptions } from './options.js';

/**
 * Passes every address that opens the app to Connect, including the one that started it, each once. Addresses that are
 * not a bank's return are ignored.
 */
export function useOAuthReturn(options: Omit<ContinueOptions, 'url'>): void {
  const store = useConnectControl();
  const latest = useRef(options);
  useInsertionEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    // Null: the app was not started by a link. Newer versions of React Native report it in another form.
    const take = (url: string | null | undefined): void => {
      if (typeof url === 'string')
        store.continueFlow({ ...latest.current, ...latestCallbacks(latest), url });
    };
    let isMounted = true;
    void Linking.getInitialURL().then((url) => isMounted && take(url));
    const listener = Linking.addEventListener('url', ({ url }) => take(url));
    return () => {
      isMounted = false;
      listener.remove();
    };
  }, [store]);
}
