import { AsyncLocalStorage } from 'node:async_hooks';
import { runTraced } from './trace.js';

/** The owner of a piece of work, set once it is known; null means unowned. */
export interface ConnectionOwner {
  owner: string | null;
}

const NO_ONE: ConnectionOwner = { owner: null };
const current = new AsyncLocalStorage<ConnectionOwner>();

/**
 * Everything `work` starts, now or later, takes its connections from a `SharedPool` on behalf of
 * `owned`.
 */
export function runOwned<T>(owned: ConnectionOwner, work: () => T): T {
  return current.run(owned, work);
}

/** The owner of the current work turned out: from now on it takes its connections on behalf of `owner`. */
export function continueOwned(owner: string): void {
  const store = current.getStore();
  if (store !== undefined && store !== NO_ONE) store.owner = owner;
}

/** For connections that outlive the request that opened them. */
export function runUnowned<T>(work: () => T): T {
  return current.run(NO_ONE, () => runTraced(null, work));
}

export function currentOwner(): string | null {
  return current.getStore()?.owner ?? null;
}
