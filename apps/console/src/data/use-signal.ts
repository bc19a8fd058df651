import { useSyncExternalStore } from 'react';
import type { Signal } from './signal.js';

export const useSignal = <Value>(signal: Signal<Value>): Value =>
  useSyncExternalStore(signal.subscribe, signal.get);
