import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose work something is, once that is known; null counts for no one. */
export interface ConnectionOwner {
  owner: string | null;
}

const NO_ONE: ConnectionOwner = { owner: null };
const current = new AsyncLocalStorage<ConnectionOwner>();

/** Whatever `work` starts, also later, takes its connections from a `SharedPool` in the name of `owned`. */
export function runOwned<T>(owned: ConnectionOwner, work: () => T): T {
  return current.run(owned, work);
}

/** For connections that outlive what first asked for them. */
export function runUnowned<T>(work: () => T): T {
  return current.run(NO_ONE, work);
}

export function currentOwner(): string | null {
  return current.getStore()?.owner ?? null;
}
