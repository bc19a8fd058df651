import type { ConnectCallbacks } from '../../../packages/connect-js/src/index.js';

/** The callbacks of one flow, in the order in which they were called. */
export function recordCallbacks() {
  const calls: [name: string, payload: unknown][] = [];
  const record = (name: string) => (payload?: unknown) => {
    calls.push([name, payload]);
  };
  const callbacks: Required<ConnectCallbacks> = {
    onSuccess: record('success'),
    onExit: record('exit'),
    onEvent: record('event'),
    onError: record('error'),
    onReady: record('ready'),
  };
  return {
    calls,
    callbacks,
    names: () => calls.map(([name]) => name),
    payloads: (name: string) =>
      calls.filter(([called]) => called === name).map(([, payload]) => payload),
  };
}
