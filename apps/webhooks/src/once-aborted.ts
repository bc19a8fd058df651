import { Bag } from './bag.js';

type Callback = () => void;

const waiting = new WeakMap<AbortSignal, Bag<Callback>>();

/**
 * Calls back when the signal fires. Hundreds of attempts wait for the same one, and a signal looks through all its
 * listeners for each that comes or goes; this gives it one.
 *
 * @returns a function after which it is not called any more
 */
export function onceAborted(signal: AbortSignal, callback: Callback): () => void {
  const callbacks = waiting.get(signal) ?? listenTo(signal);
  return callbacks.add(callback);
}

function listenTo(signal: AbortSignal): Bag<Callback> {
  const callbacks = new Bag<Callback>();
  waiting.set(signal, callbacks);
  signal.addEventListener(
    'abort',
    () => {
      for (const callback of callbacks.items) callback();
    },
    { once: true },
  );
  return callbacks;
}
