import type { ConnectCallbacks } from '@tributary/connect-js/core';
import type { RefObject } from 'react';

/** The callbacks of the latest render, each read when it is called. */
export function latestCallbacks(latest: RefObject<ConnectCallbacks>): Required<ConnectCallbacks> {
  return {
    onReady: () => latest.current.onReady?.(),
    onEvent: (event) => latest.current.onEvent?.(event),
    onError: (error) => latest.current.onError?.(error),
    onSuccess: (success) => latest.current.onSuccess(success),
    onExit: (exit) => latest.current.onExit?.(exit),
  };
}
