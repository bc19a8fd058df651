import { readBaseAddress } from '@tributary/connect-js/core';
import { useMemo } from 'react';
import { ConnectContext } from '../connect-context.js';
import type { ConnectProviderProps } from '../options.js';
import { useDestroyOnUnmount } from '../use-destroy-on-unmount.js';
import { WebConnectStore } from './connect-store.js';

/** The same as on a phone. The browser opens a bank's page itself, so `openAuthSession` is not used. */
export function ConnectProvider({ connectBaseUrl, children }: ConnectProviderProps) {
  const base = readBaseAddress(connectBaseUrl);
  const store = useMemo(() => new WebConnectStore(base), [base]);
  useDestroyOnUnmount(store);
  return <ConnectContext.Provider value={store}>{children}</ConnectContext.Provider>;
}
