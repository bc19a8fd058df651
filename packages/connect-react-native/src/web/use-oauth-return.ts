import { useEffect, useInsertionEffect, useRef } from 'react';
import { useConnectControl } from '../connect-context.js';
import { latestCallbacks } from '../latest-callbacks.js';
import type { ContinueOptions } from '../options.js';

/** Passes the address of this page to Connect, if a bank returned to it. */
export function useOAuthReturn(options: Omit<ContinueOptions, 'url'>): void {
  const control = useConnectControl();
  const latest = useRef(options);
  useInsertionEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const { location } = globalThis as unknown as { location: { href: string } };
    control.continueFlow({ ...latest.current, ...latestCallbacks(latest), url: location.href });
  }, [control]);
}
