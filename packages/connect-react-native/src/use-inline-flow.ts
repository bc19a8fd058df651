import { useEffect, useInsertionEffect, useRef, type RefObject } from 'react';
import { useConnectControl } from './connect-context.js';
import { latestCallbacks } from './latest-callbacks.js';
import type { PresentOptions } from './options.js';

/** The flow of a ConnectView, from its mounting to its unmounting. Callbacks are read when they are called. */
export function useInlineFlow(options: PresentOptions, container?: RefObject<unknown>): void {
  const control = useConnectControl();
  const latest = useRef(options);
  useInsertionEffect(() => {
    latest.current = options;
  });
  useEffect(
    () =>
      control.presentInline(
        { ...latest.current, ...latestCallbacks(latest) },
        container?.current as Element | undefined,
      ),
    [control, container],
  );
}
