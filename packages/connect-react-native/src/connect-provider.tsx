import { readBaseAddress } from '@tributary/connect-js/core';
import { useInsertionEffect, useMemo, useRef } from 'react';
import { ConnectContext } from './connect-context.js';
import { ConnectModal } from './screens/connect-modal.js';
import { ConnectStore } from './connect-store.js';
import type { ConnectProviderProps } from './options.js';
import { systemBrowser } from './system-browser.js';
import { useDestroyOnUnmount } from './use-destroy-on-unmount.js';

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
  // Read when a bank's page is opened: an app may create the function again in each render.
  const latest = useRef(openAuthSession);
  useInsertionEffect(() => {
    latest.current = openAuthSession;
  });
  const store = useMemo(
    () =>
      new ConnectStore(
        base,
        systemBrowser(() => latest.current),
      ),
    [base],
  );
  useDestroyOnUnmount(store);
  return (
    <ConnectContext.Provider value={store}>
      {children}
      <ConnectModal store={store} />
    </ConnectContext.Provider>
  );
}
