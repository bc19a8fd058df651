import { useEffect, useInsertionEffect, useRef, type RefObject } from 'react';
import { useConnectControl } from './connect-context.js';
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
        {
          ...latest.current,
          onReady: () => latest.current.onReady?.(),
          onEvent: (event) => latest.current.onEvent?.(event),
          onError: (error) => latest.current.onError?.(error),
          onSuccess: (success) => latest.current.onSuccess(success),
          onExit: (exit) => latest.current.onExit?.(exit),
        },
        container?.current as Element | undefined,
      ),
    [control, container],
  );
}
