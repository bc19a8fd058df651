import { useEffect, useInsertionEffect, useRef } from 'react';
import { Linking } from 'react-native';
import { useConnectControl } from './connect-context.js';
import { latestCallbacks } from './latest-callbacks.js';
import type { ContinueOptions } from './options.js';

/**
 * Hands every address that opens the app to Connect, the one that started it among them, each once. Addresses that are
 * no bank's return are left alone.
 */
export function useOAuthReturn(options: Omit<ContinueOptions, 'url'>): void {
  const store = useConnectControl();
  const latest = useRef(options);
  useInsertionEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    // Nothing: the app was not started by a link. Newer versions of React Native say it in another way.
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
