'use client';
import {
  createConnect,
  type Connect,
  type ConnectError,
  type ConnectOptions,
} from '@tributary/connect-js';
import { useCallback, useEffect, useInsertionEffect, useRef, useState } from 'react';
import { version } from './generated/version.js';

export type ConnectStatus = 'idle' | 'opening' | 'open' | 'success' | 'exited';
export type FlowOptions = Omit<ConnectOptions, 'sdk'>;

export interface FlowControl {
  /**
   * Opens or continues with a new instance of the core, unless Connect is open, which the core
   * warns about.
   */
  start: (begin: (connect: Connect) => void) => void;
  exit: (options?: { force?: boolean }) => void;
  error: ConnectError | null;
  status: ConnectStatus;
}

/**
 * The flow of a component: callbacks and options as last rendered, its status as state; it ends
 * with the component.
 */
export function useFlow(options: FlowOptions): FlowControl {
  const latest = useLatest(options);
  const [status, setStatus] = useState<ConnectStatus>('idle');
  const [error, setError] = useState<ConnectError | null>(null);
  const flow = useRef<Connect | null>(null);

  const start = useCallback(
    (begin: (connect: Connect) => void) => {
      if (flow.current?.isOpen === true) return begin(flow.current);
      flow.current?.destroy();
      // Options such as the container apply from the next flow on, so each flow has an instance of
      // its own.
      const connect = createConnect({
        ...latest.current,
        sdk: { name: 'connect-react', version },
        onReady: () => {
          setStatus('open');
          latest.current.onReady?.();
        },
        onEvent: (event) => latest.current.onEvent?.(event),
        onError: (reported) => {
          setError(reported);
          latest.current.onError?.(reported);
        },
        onSuccess: (success) => {
          setStatus('success');
          latest.current.onSuccess(success);
        },
        onExit: (exit) => {
          setStatus('exited');
          latest.current.onExit?.(exit);
        },
      });
      flow.current = connect;
      setError(null);
      begin(connect);
      if (connect.isOpen) setStatus('opening');
    },
    [latest],
  );

  const exit = useCallback((how?: { force?: boolean }) => flow.current?.exit(how), []);

  const { theme, appearance } = options;
  // Themes are written inline, so each render brings another object with the same contents.
  const look = JSON.stringify([theme, appearance]);
  const shown = useRef(look);
  useEffect(() => {
    if (shown.current === look) return;
    shown.current = look;
    flow.current?.update({ theme: latest.current.theme, appearance: latest.current.appearance });
  }, [look, latest]);

  useDestroyOnUnmount(flow);
  return { start, exit, error, status };
}

/**
 * Written before every other effect runs, so that an `open` in an effect uses what was just
 * rendered.
 */
export function useLatest<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}

function useDestroyOnUnmount(flow: { readonly current: Connect | null }): void {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      // Strict mode unmounts and immediately mounts again; a frame opened in between is still needed.
      queueMicrotask(() => {
        if (!mounted.current) flow.current?.destroy();
      });
    };
  }, [flow]);
}
