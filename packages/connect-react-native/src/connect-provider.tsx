import { readBaseAddress } from '@tributary/connect-js/core';
import { createContext, useContext, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { ConnectModal } from './connect-modal.js';
import { ConnectStore } from './connect-store.js';
import { systemBrowser, type OpenAuthSession } from './system-browser.js';

const ConnectContext = createContext<ConnectStore | null>(null);

export interface ConnectProviderProps {
  /** Where Connect is hosted, such as `https://api.example/connect`. */
  connectBaseUrl: string;
  /** Opens a bank's page; by default `expo-web-browser`, and without it the browser of the system. */
  openAuthSession?: OpenAuthSession;
  children?: ReactNode;
}

/**
 * Hosts Connect for the components below it; one per app, near the root.
 * @throws ConnectConfigurationError while rendering when `connectBaseUrl` is not an http(s) address
 */
export function ConnectProvider({
  connectBaseUrl,
  openAuthSession,
  children,
}: ConnectProviderProps) {
  const base = readBaseAddress(connectBaseUrl);
  const store = useMemo(
    () => new ConnectStore(base, systemBrowser(openAuthSession)),
    [base, openAuthSession],
  );
  useDestroyOnUnmount(store);
  return (
    <ConnectContext.Provider value={store}>
      {children}
      <ConnectModal store={store} />
    </ConnectContext.Provider>
  );
}

/** @throws Error outside of a ConnectProvider */
export function useConnectStore(): ConnectStore {
  const store = useContext(ConnectContext);
  if (store === null) throw new Error('Connect: there is no ConnectProvider above this component.');
  return store;
}

function useDestroyOnUnmount(store: ConnectStore): void {
  const mounted = useRef<ConnectStore>(undefined);
  useEffect(() => {
    mounted.current = store;
    return () => {
      mounted.current = undefined;
      // Strict mode unmounts and mounts again at once; a flow opened in between is still needed.
      void Promise.resolve().then(() => {
        if (mounted.current !== store) store.destroy();
      });
    };
  }, [store]);
}
