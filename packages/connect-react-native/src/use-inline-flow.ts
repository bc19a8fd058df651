import { useEffect, useInsertionEffect, useRef, type RefObject } from 'react';
import { useConnectControl } from './connect-context.js';
import { latestCallbacks } from './latest-callbacks.js';
import type { PresentOptions } from './options.js';

/**
 * The flow of a ConnectView, from its mounting to its unmounting. Callbacks are read when they are called.
 * @param place of the view: on the web the element that contains the flow
 */
export function useInlineFlow(options: PresentOptions, place: RefObject<object | null>): void {
  const control = useConnectControl();
  const latest = useRef(options);
  useInsertionEffect(() => {
    latest.current = options;
  });
  useEffect(
    () =>
      control.presentInline(
        { ...latest.current, ...latestCallbacks(latest) },
        place.current as object,
      ),
    [control, place],
  );
}
